import { ShownOnce } from "#app/components/shown-once";

type Props = { title: string; email: string; code: string; onClose: () => void };

/** The code for the inviter to pass on. It is gone after closing or reloading. */
export function OneTimeCode({ title, email, code, onClose }: Props) {
  return (
    <ShownOnce title={title} description={email} noun="code" value={code} onClose={onClose}>
      <p>Give them this one-time code. It is shown only now, works once and expires in 72 hours.</p>
      <ul className="text-ink-soft order-last list-disc space-y-1 pl-5">
        <li>Without a password yet, they sign in with their e-mail and the code in its place.</li>
        <li>With an account, they sign in as always and enter it under Account in the user menu.</li>
      </ul>
    </ShownOnce>
  );
}
