import { useNavigate } from "@remix-run/react";
import { useCan } from "#app/components/capability";
import { ConfirmDialog, DELETE_WORDS } from "#app/forms/confirm-dialog";
import { useRecord } from "#app/router/use-record";
import { AreaDialog } from "#app/routes/areas/area-dialog";
import type { Area } from "#domain/records";

/** The area's forms. After a deletion they stay until the toast, then the list is shown. */
export function AreaDialogs({ area: shown }: { area: Area | null }) {
  const { dialog, record: area, close } = useRecord(shown ? [shown] : []);
  const navigate = useNavigate();
  const mayEdit = useCan("area.save");
  const mayDelete = useCan("area.delete");
  if (!area) return null;
  if (dialog === "edit" && mayEdit) return <AreaDialog key={area.id} area={area} />;
  if (dialog !== "delete" || !mayDelete) return null;
  return (
    <ConfirmDialog
      title="Delete Area"
      text={`Are you sure you want to delete "${area.name}"? Associated hubs and devices will be removed.`}
      intent="remove"
      record={area}
      words={DELETE_WORDS}
      onClose={close}
      onDone={() => navigate("/areas", { replace: true })}
    />
  );
}
