import { HiddenFields, IdempotencyKey } from "#app/forms/hidden-fields";
import { useOrganization } from "#app/components/organization";
import { useAnswer } from "#app/forms/use-answer";
import { formatInstant } from "#domain/time/display";
import type { OwnSession } from "#domain/records/records";
import { Badge } from "#app/ui/badge";
import { Button } from "#app/ui/button";
import { browserName } from "./browser-name";

/** One's own sessions, each with a button that ends it. */
export function OwnSessions({ sessions }: { sessions: OwnSession[] }) {
  return (
    <ul aria-label="Sessions" className="divide-line -my-2 divide-y">
      {sessions.map((session) => (
        <Row key={session.id} session={session} />
      ))}
    </ul>
  );
}

function Row({ session }: { session: OwnSession }) {
  const { zone } = useOrganization();
  const { fetcher, pending } = useAnswer({ key: session.id });
  const name = browserName(session.user_agent);
  return (
    <li className="flex items-center gap-3 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 font-medium">
          {name}
          {session.current && <Badge tone="ok">This one</Badge>}
        </p>
        <p className="text-ink-soft">
          Last used {formatInstant(session.last_active_at, zone)}, signed in {formatInstant(session.created_at, zone)}
          {session.address && session.address !== "unknown" && ` from ${session.address}`}
        </p>
      </div>
      {!session.current && (
        <fetcher.Form method="post">
          <HiddenFields intent="end" id={session.id} />
          <IdempotencyKey />
          <Button type="submit" size="sm" pending={pending} aria-label={`End the session of ${name}`}>
            End
          </Button>
        </fetcher.Form>
      )}
    </li>
  );
}
