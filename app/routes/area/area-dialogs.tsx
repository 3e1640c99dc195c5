import { useNavigate } from "@remix-run/react";
import { useCan } from "#app/components/capability";
import { DeleteDialog } from "#app/forms/delete-dialog";
import { useRecord } from "#app/router/use-record";
import { AreaDialog } from "#app/routes/areas/area-dialog";
import type { Area, MayAffect } from "#domain/records/records";

/** The area's own forms. A deleted one stays here until it is told; then the list takes its place. */
export default function AreaDialogs({ area: shown }: { area: (Area & MayAffect) | null }) {
  const { dialog, record: area, close } = useRecord(shown ? [shown] : []);
  const navigate = useNavigate();
  const mayEdit = useCan("area.save");
  const mayDelete = useCan("area.delete");
  if (!area) return null;
  if (dialog === "edit" && mayEdit) return <AreaDialog key={area.id} area={area} />;
  if (dialog !== "delete" || !mayDelete || !area.may_affect) return null;
  return (
    <DeleteDialog owner="area" record={area} onClose={close} onDone={() => navigate("/areas", { replace: true })} />
  );
}
