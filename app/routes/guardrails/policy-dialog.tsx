import { useMemo } from "react";
import { ConfirmDialog, DELETE_WORDS } from "#app/forms/confirm-dialog";
import { useRecord } from "#app/router/use-record";
import { keyOf, nameOf, type Places } from "./places";
import { PolicyForm } from "./policy-form";

type Props = { places: Places; isNew: boolean; onClose: () => void };

// The default export is for onDemand().
export default function PolicyDialog({ places, isNew, onClose }: Props) {
  const rows = useMemo(
    () => places.policies.filter(({ may_write }) => may_write).map((policy) => ({ policy, id: keyOf(policy) })),
    [places.policies],
  );
  const { dialog, record } = useRecord(rows);
  if (isNew) return <PolicyForm policy={null} places={places} onClose={onClose} />;
  if (!record) return null;
  const { policy, id } = record;
  if (dialog === "edit") return <PolicyForm key={id} policy={policy} places={places} onClose={onClose} />;
  if (dialog !== "delete") return null;
  return (
    <ConfirmDialog
      title="Delete Policy"
      text={`Are you sure you want to delete the policy of ${nameOf(policy)}? Its lights then have what the levels above say.`}
      intent="remove_policy"
      record={{ id, name: nameOf(policy) }}
      words={DELETE_WORDS}
      onClose={onClose}
    />
  );
}
