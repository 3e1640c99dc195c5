import { useCan } from "#app/components/capability";
import { ButtonLink } from "#app/components/button-link";
import { useOrganization } from "#app/components/organization";
import { Ban, Moon } from "#app/ui/icons";
import { mayWriteInDept } from "#domain/organization/permissions";
import type { Device } from "#domain/records/records";

type Props = { device: Pick<Device, "id" | "area_id" | "dept_id"> };

/** The ways to keep this light dark for a time, or lit in spite of curfew and blackout. */
export function LimitLinks({ device: { id, area_id, dept_id } }: Props) {
  const { user } = useOrganization();
  const mayClose = useCan("closure.save");
  const mayPermit = useCan("permit.save");
  if (!mayWriteInDept(user, dept_id)) return null;
  const place = new URLSearchParams({ area_id, device_id: id });
  return (
    <>
      {mayClose && (
        <ButtonLink to={`/closures?new=&${place}`} icon={<Ban className="size-4" />}>
          New closure
        </ButtonLink>
      )}
      {mayPermit && (
        <ButtonLink to={`/permits?new=&${place}`} icon={<Moon className="size-4" />}>
          New permit
        </ButtonLink>
      )}
    </>
  );
}
