import { Copy } from "#app/ui/icons";
import { toast } from "sonner";
import { Button } from "#app/ui/button";
import { Dialog } from "#app/ui/dialog";
import { reloads } from "#app/ui/no-script";

type Props = { title: string; email: string; code: string; onClose: () => void };

/** The code for the inviter to pass on. It is gone after closing or reloading. */
export function OneTimeCode({ title, email, code, onClose }: Props) {
  const copy = async () => {
    await navigator.clipboard.writeText(code).then(
      () => toast.success("Code copied"),
      () => toast.error("Could not copy; select the code instead"),
    );
  };
  return (
    <Dialog title={title} description={email} onClose={onClose}>
      <div className="flex flex-col gap-3 px-5 py-4">
        <p>Give them this one-time code. It is shown only now, works once and expires in 72 hours.</p>
        <div className="bg-sunken flex items-center justify-between gap-3 rounded-md py-2 pr-2 pl-4">
          <code className="min-w-0 text-base font-semibold break-all select-all">{code}</code>
          <Button size="sm" icon={<Copy className="size-3.5" />} onClick={() => void copy()}>
            Copy
          </Button>
        </div>
        <ul className="text-ink-soft list-disc space-y-1 pl-5">
          <li>Without a password yet, they sign in with their e-mail and the code in its place.</li>
          <li>With an account, they sign in as always and enter it under Account in the user menu.</li>
        </ul>
      </div>
      <footer className="border-line flex justify-end border-t px-5 py-3">
        <Button look="primary" {...reloads(onClose)}>
          Done
        </Button>
      </footer>
    </Dialog>
  );
}
