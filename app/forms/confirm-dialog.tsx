import type { ReactNode } from "react";
import { HiddenFields, IdempotencyKey } from "#app/forms/hidden-fields";
import { useAnswer } from "#app/forms/use-answer";
import { AlertDialog } from "#app/ui/alert-dialog";
import { Button } from "#app/ui/button";
import { useNoScript } from "#app/ui/no-script";

type Props = {
  title: string;
  text: ReactNode;
  intent: string;
  record?: { id: string; name?: string };
  /** More of what is sent. */
  fields?: Record<string, string>;
  /** The labels of the two buttons, and of the second while the request is pending. */
  words: { keep: string; go: string; going: string };
  onClose: () => void;
  /** Called after a success; closes the dialog by default. */
  onDone?: () => void;
};

export const DELETE_WORDS = { keep: "Cancel", go: "Delete", going: "Deleting..." };

export function ConfirmDialog({ title, text, intent, record, fields = {}, words, onClose, onDone = onClose }: Props) {
  const { fetcher, pending, answer } = useAnswer({ onDone });
  const noScript = useNoScript();
  return (
    <AlertDialog
      title={title}
      description={noScript && answer ? <p role="alert">{answer.toast}</p> : text}
      keep={words.keep}
      onKeep={onClose}
    >
      <fetcher.Form method="post" className="contents">
        <HiddenFields intent={intent} {...(record && { id: record.id })} />
        <IdempotencyKey />
        {record?.name && <input type="hidden" name="name" value={record.name} />}
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Button type="submit" variant="danger" pending={pending}>
          {pending ? words.going : words.go}
        </Button>
      </fetcher.Form>
    </AlertDialog>
  );
}
