import { useCan } from "#app/components/capability";
import { ConfirmDialog, DELETE_WORDS } from "#app/forms/confirm-dialog";
import { useRecord } from "#app/router/use-record";
import { useDialog } from "#app/router/view";
import type { Area, Group, MayWrite } from "#domain/records/records";
import { GroupDialog } from "./group-dialog";

/** The forms of the area's groups. */
export default function GroupDialogs({ area, groups }: { area: Area; groups: (Group & MayWrite)[] }) {
  const { dialog: opened, close } = useDialog();
  const { dialog, record: group } = useRecord(groups.filter(({ may_write }) => may_write));
  const maySave = useCan("group.save");
  const mayDelete = useCan("group.delete");
  if (opened === "add" && maySave) return <GroupDialog area={area} group={null} onClose={close} />;
  if (!group) return null;
  if (dialog === "edit" && maySave) return <GroupDialog key={group.id} area={area} group={group} onClose={close} />;
  if (dialog !== "delete" || !mayDelete) return null;
  return (
    <ConfirmDialog
      title="Delete Group"
      text={`Are you sure you want to delete the group "${group.name}"? Its lights stay. With it go a guardrail policy of its own, and its schedules, closures and permits that are canceled or over.`}
      intent="remove_group"
      record={group}
      words={DELETE_WORDS}
      onClose={close}
    />
  );
}
