import type { ReactNode } from "react";
import { HiddenFields } from "#app/components/hidden-fields";
import { useAnswer } from "#app/components/use-answer";
import type { FieldErrors } from "#domain/errors";
import { Button } from "#app/ui/button";
import { Dialog } from "#app/ui/dialog";

export type Noun = "area" | "hub" | "device" | "schedule";

type Props = {
  noun: Noun;
  /** The record that is edited; none for a new one. */
  record: { id: string; version: number } | null;
  description: string;
  onClose: () => void;
  children: (errors: FieldErrors) => ReactNode;
};

/** The shell of every create/edit form: title, buttons, pending and the server's words come from here. */
export function FormDialog({ noun, record, description, onClose, children }: Props) {
  const { fetcher, pending, answer } = useAnswer({ onDone: onClose });
  const failed = answer && !answer.ok ? answer : null;
  const title = `${record ? "Edit" : "Create"} ${noun[0]?.toUpperCase()}${noun.slice(1)}`;
  return (
    <Dialog title={title} description={description} onClose={onClose}>
      <fetcher.Form method="post" noValidate className="flex min-h-0 flex-col">
        <HiddenFields intent={record ? "save" : "create"} id={record?.id} version={record?.version} />
        <div className="flex min-h-0 flex-col gap-4 overflow-y-auto px-5 py-4">
          {children(failed?.errors ?? {})}
          {failed && (
            <p role="alert" className="bg-bad-soft text-bad-text rounded-md px-3 py-2 font-medium">
              {failed.toast}
            </p>
          )}
        </div>
        <footer className="border-line flex justify-end gap-2 border-t px-5 py-3">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" pending={pending}>
            {pending ? "Saving..." : record ? "Save changes" : title}
          </Button>
        </footer>
      </fetcher.Form>
    </Dialog>
  );
}
