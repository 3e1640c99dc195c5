import { Copy } from "lucide-react";
import { toast } from "sonner";
import { Button } from "#app/ui/button";
import { Dialog } from "#app/ui/dialog";
import { reloads } from "#app/ui/no-script";

type Props = { title: string; email: string; password?: string | null; onClose: () => void };

/** What the inviter passes on. It is kept nowhere: closed or reloaded, it is gone. */
export function OneTimePassword({ title, email, password, onClose }: Props) {
  const copy = async (text: string) => {
    await navigator.clipboard.writeText(text).then(
      () => toast.success("Password copied"),
      () => toast.error("Could not copy; select the password instead"),
    );
  };
  return (
    <Dialog title={title} description={email} onClose={onClose}>
      <div className="flex flex-col gap-3 px-5 py-4">
        {!password ? (
          <p>They have an account already and sign in with their own password.</p>
        ) : (
          <>
            <p>Give them this one-time password. It is shown only now.</p>
            <div className="bg-sunken flex items-center justify-between gap-3 rounded-md py-2 pr-2 pl-4">
              <code className="min-w-0 text-base font-semibold break-all select-all">{password}</code>
              <Button size="sm" icon={<Copy className="size-3.5" />} onClick={() => void copy(password)}>
                Copy
              </Button>
            </div>
            <p className="text-ink-soft">They choose their own in the user menu once they have signed in.</p>
          </>
        )}
      </div>
      <footer className="border-line flex justify-end border-t px-5 py-3">
        <Button look="primary" {...reloads(onClose)}>
          Done
        </Button>
      </footer>
    </Dialog>
  );
}
