import type { ReactNode } from "react";
import { toast } from "sonner";
import { useNeedsPage } from "#app/router/needed-page";
import { Copy } from "#app/ui/icons";
import { Button } from "#app/ui/button";
import { Dialog } from "#app/ui/dialog";
import { reloads } from "#app/ui/no-script";
import { capitalized } from "#domain/capitalized";

type Props = {
  title: string;
  description: string;
  /** What it is called: 'code', 'secret'. */
  noun: string;
  value: string;
  onClose: () => void;
  /** What to do with it. What is `order-last` stands below it. */
  children: ReactNode;
};

/** Something to pass on that is shown this once, with a button that copies it. It is gone after closing or reloading. */
export function ShownOnce({ title, description, noun, value, onClose, children }: Props) {
  useNeedsPage();
  const copy = async () => {
    await navigator.clipboard.writeText(value).then(
      () => toast.success(`${capitalized(noun)} copied`),
      () => toast.error(`Could not copy; select the ${noun} instead`),
    );
  };
  return (
    <Dialog title={title} description={description} onClose={onClose}>
      <div className="flex flex-col gap-3 px-5 py-4">
        {children}
        <div className="bg-sunken flex items-center justify-between gap-3 rounded-md py-2 pr-2 pl-4">
          <code className="min-w-0 text-base font-semibold break-all select-all">{value}</code>
          <Button size="sm" icon={<Copy className="size-3.5" />} onClick={() => void copy()}>
            Copy
          </Button>
        </div>
      </div>
      <footer className="border-line flex justify-end border-t px-5 py-3">
        <Button variant="primary" {...reloads(onClose)}>
          Done
        </Button>
      </footer>
    </Dialog>
  );
}
