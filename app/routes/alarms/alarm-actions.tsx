import type { ReactNode } from "react";
import { ClipboardPlus } from "#app/ui/icons";
import { ButtonLink } from "#app/components/button-link";
import { useOrganization } from "#app/components/organization";
import { HiddenFields } from "#app/forms/hidden-fields";
import { useAnswer } from "#app/forms/use-answer";
import type { Alarm } from "#domain/alarms/alarm-records";
import { alarmName } from "#domain/alarms/alarm-words";
import { can, mayWriteInDept } from "#domain/organization/permissions";
import { Button } from "#app/ui/button";

/** What can be done about an alarm, on its row or on the page of its light; the children stand between. */
export function AlarmActions({ alarm, children }: { alarm: Alarm; children?: ReactNode }) {
  const { user } = useOrganization();
  const name = alarmName(alarm);
  if (!can(user, "workorder.save") || !mayWriteInDept(user, alarm.dept_id)) return null;
  return (
    <div className="flex flex-wrap gap-2">
      {alarm.state === "open" && (
        <Act alarm={alarm} intent="acknowledge" label={`Acknowledge: ${name}`}>
          Acknowledge
        </Act>
      )}
      {children}
      {alarm.workorder_id ? (
        <ButtonLink to={`/workorders?${new URLSearchParams({ edit: alarm.workorder_id })}`} className="px-3 sm:h-8">
          Work order
        </ButtonLink>
      ) : (
        <Act
          alarm={alarm}
          intent="workorder"
          label={`Make a work order: ${name}`}
          icon={<ClipboardPlus className="size-4" />}
        >
          Make a work order
        </Act>
      )}
    </div>
  );
}

type ActProps = {
  alarm: Alarm;
  intent: "acknowledge" | "workorder";
  label: string;
  icon?: ReactNode;
  children: string;
};

/** One button, without a question first: neither can do harm, and a second one changes nothing. */
function Act({ alarm, intent, label, icon, children }: ActProps) {
  const { fetcher, pending } = useAnswer();
  return (
    <fetcher.Form method="post" action="/alarms" className="contents">
      <HiddenFields intent={intent} id={alarm.id} />
      <Button type="submit" size="sm" aria-label={label} icon={icon} pending={pending}>
        {children}
      </Button>
    </fetcher.Form>
  );
}
