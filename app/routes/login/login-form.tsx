import { ShieldCheck, UserCog, type IconComponent } from "#app/ui/icons";
import { useRef } from "react";
import { useAnswer } from "#app/forms/use-answer";
import { CodeField } from "#app/session/code-field";
import { Button } from "#app/ui/button";
import { Field, TextInput, TypedValues } from "#app/ui/field";

/** A right password would lead back here without a word where the browser keeps no cookies. */
export function LoginForm({ demo, keepsCookies }: { demo: boolean; keepsCookies: boolean }) {
  const { fetcher, pending, answer } = useAnswer();
  const failed = answer && !answer.ok ? answer : null;
  const form = useRef<HTMLFormElement>(null);

  /** Fills in the form; the person still presses Sign In. */
  function prefill(email: string) {
    for (const [name, value] of [
      ["email", email],
      ["password", DEMO_PASSWORD],
    ] as const) {
      const input = form.current?.elements.namedItem(name);
      if (input instanceof HTMLInputElement) input.value = value;
    }
  }

  return (
    <div className="bg-surface text-ink border-line w-full max-w-sm rounded-2xl border p-6 shadow-2xl sm:p-8">
      <h1 className="text-2xl font-semibold tracking-tight">Sign In</h1>
      <p className="text-ink-soft mt-1">Enter your credentials to access the dashboard</p>
      <fetcher.Form ref={form} method="post" className="mt-6 flex flex-col gap-4">
        <input type="hidden" name="intent" value="sign_in" />
        <TypedValues value={failed?.typed ?? null}>
          <Field label="Email">
            <TextInput type="email" name="email" autoComplete="username" required autoFocus />
          </Field>
          <Field label="Password">
            <TextInput type="password" name="password" autoComplete="current-password" required />
          </Field>
          <CodeField isAsked={failed?.errors.code !== undefined} />
        </TypedValues>
        {failed && <p className="bg-bad-soft text-bad-text rounded-md px-3 py-2 font-medium">{failed.toast}</p>}
        {!keepsCookies && (
          <p role="alert" className="bg-bad-soft text-bad-text rounded-md px-3 py-2 font-medium">
            This browser keeps no cookies, and signing in needs one. Allow them for this site, then load the page again.
          </p>
        )}
        <Button type="submit" variant="primary" pending={pending} className="mt-1 w-full">
          {pending ? "Signing in..." : "Sign In"}
        </Button>
      </fetcher.Form>
      {demo && (
        <div className="border-line mt-6 border-t pt-5 noscript:hidden">
          <h2 className="text-ink-soft mb-2 text-sm font-medium">Quick login for demo</h2>
          <div className="flex flex-col gap-2">
            {ACCOUNTS.map((account) => (
              <DemoAccount key={account.email} {...account} onChoose={() => prefill(account.email)} />
            ))}
          </div>
        </div>
      )}
    </div>
  );
}

const DEMO_PASSWORD = "lamplighter-demo";
const ACCOUNTS = [
  { email: "admin@parks.example", name: "Admin Account", text: "Full system access", icon: ShieldCheck },
  { email: "manager@parks.example", name: "Manager Account", text: "Schedule management", icon: UserCog },
];

type AccountProps = { name: string; text: string; icon: IconComponent; onChoose: () => void };

function DemoAccount({ name, text, icon: Icon, onChoose }: AccountProps) {
  return (
    <button
      type="button"
      onClick={onChoose}
      className="border-line hover:bg-sunken flex items-center gap-3 rounded-md border px-3 py-2 text-left"
    >
      <Icon className="text-brand-text size-5 shrink-0" />
      <span>
        <span className="block font-medium">{name}</span>
        <span className="text-ink-faint block text-xs">{text}</span>
      </span>
    </button>
  );
}
