import { useState } from "react";
import { Check } from "#app/ui/icons";
import { useOrganization } from "#app/components/organization";
import { ConfirmDialog } from "#app/forms/confirm-dialog";
import { opens, useDialog } from "#app/router/view";
import { counted } from "#domain/counted";
import { can, readOnlyDepts } from "#domain/organization/permissions";
import { Button } from "#app/ui/button";

type Props = {
  open: number;
  told_until: number;
  /** The one that the list is narrowed to. */
  area: { id: string; name: string | undefined } | null;
};

const WORDS = { keep: "Cancel", go: "Acknowledge all", going: "Acknowledging..." };

/** Where a park's network fails each of its hubs and lights is an alarm: all that are listed are acknowledged at once. */
export function AcknowledgeAll(props: Props) {
  const { user } = useOrganization();
  const { dialog, close } = useDialog();
  if (!can(user, "workorder.save")) return null;
  return (
    <>
      {props.open > 1 && (
        <div className="sm:ml-auto">
          <Button size="sm" icon={<Check className="size-4" />} {...opens("acknowledge")}>
            Acknowledge all...
          </Button>
        </div>
      )}
      {dialog === "acknowledge" && <Question {...props} onClose={close} />}
    </>
  );
}

function Question({ onClose, ...props }: Props & { onClose: () => void }) {
  // As they were listed when it was asked: nobody has seen what comes meanwhile.
  const [{ open, told_until, area }] = useState(props);
  const readsOnly = readOnlyDepts(useOrganization().user).length > 0;
  const where = area === null ? "" : ` of ${area.name ?? "this area"}`;
  return (
    <ConfirmDialog
      title={`Acknowledge ${counted(open, "alarm")}${where}?`}
      text={`They are passed on to nobody else. What comes meanwhile stays open${readsOnly ? ", and so do those of departments that you may only read" : ""}.`}
      intent="acknowledge_all"
      fields={{ told_until: String(told_until), area_id: area?.id ?? "" }}
      words={WORDS}
      onClose={onClose}
    />
  );
}
