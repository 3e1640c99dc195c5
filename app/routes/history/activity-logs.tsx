import { ScrollText, ShieldAlert } from "#app/ui/icons";
import { EmptyState } from "#app/components/empty-state";
import { ArchiveNotes } from "#app/lists/archive-notes";
import { labelsOf, wordFilter } from "#app/lists/list-filters";
import { LogPager } from "#app/lists/log-pager";
import { LogTools } from "#app/lists/log-tools";
import { useOrganization } from "#app/components/organization";
import { Streamed } from "#app/router/streamed";
import type { Deferred } from "#app/router/deferred";
import { formatDated } from "#domain/time/display";
import { AUDIT_RESOURCES } from "#domain/enums";
import type { LogPage } from "#domain/lists/log-query";
import { Badge } from "#app/ui/badge";
import { Card } from "#app/ui/card";
import { LoadingBlock } from "#app/ui/spinner";
import type { LogEntry } from "./log-entry";

const FILTERS = [wordFilter("resource", "Resource", "Everything", labelsOf(AUDIT_RESOURCES))];

/** `logs` is null if the role may not see them. */
export function ActivityLogs({ logs }: { logs: Promise<Deferred<LogPage<LogEntry>>> | null }) {
  if (logs === null) {
    return (
      <div role="alert">
        <EmptyState icon={ShieldAlert} title="Admin Access Required" text="Activity logs are for administrators." />
      </div>
    );
  }
  return (
    <Streamed
      list={logs}
      loading={<LoadingBlock label="Loading activity logs..." />}
      failed="Failed to fetch audit logs"
    >
      {(page) => (
        <>
          <LogTools label="Search activity logs" log="activity" page={page} filters={FILTERS} />
          <ArchiveNotes notes={page.notes} />
          <LogRows logs={page.rows} />
          <LogPager next={page.next} />
        </>
      )}
    </Streamed>
  );
}

function LogRows({ logs }: { logs: LogEntry[] }) {
  if (logs.length === 0) {
    return <EmptyState icon={ScrollText} title="No Activity Logs Found" text="Every change is written down here." />;
  }
  return (
    <Card className="overflow-hidden">
      <ul aria-label="Activity logs" className="divide-line divide-y">
        {logs.map((log) => (
          <LogRow key={log.id} log={log} />
        ))}
      </ul>
    </Card>
  );
}

function LogRow({ log }: { log: LogEntry }) {
  const { zone, loaded_at } = useOrganization();
  return (
    <li className="grid gap-x-6 gap-y-2 px-4 py-3 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
      <div className="flex min-w-0 flex-col gap-1.5">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <h2 className="min-w-0 truncate font-semibold">{log.actor_email ?? "System"}</h2>
          {log.actor_role && <Badge>{log.actor_role}</Badge>}
        </div>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Badge tone={TONES[log.action] ?? "outline"}>{log.action}</Badge>
          <span>{log.resource_type}</span>
        </p>
        <time dateTime={log.created_at} className="text-ink-soft text-xs">
          {formatDated(log.created_at, zone, loaded_at)}
        </time>
      </div>
      {log.details && (
        <pre
          aria-label="Details"
          // A scrolling region must be reachable by keyboard.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          className="bg-sunken text-ink-soft max-h-40 overflow-auto rounded-md px-3 py-2 font-mono text-xs"
        >
          {log.details}
        </pre>
      )}
    </li>
  );
}

const TONES: Record<string, "ok" | "brand" | "bad"> = { create: "ok", update: "brand", delete: "bad" };
