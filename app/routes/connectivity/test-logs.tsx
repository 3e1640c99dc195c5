import { Check, CircleX, PlugZap } from "#app/ui/icons";
import { EmptyState } from "#app/components/empty-state";
import { LogCell, LogName, LogNote, LogRow, LogTable, LogTime } from "#app/lists/log-table";
import { RefreshButton } from "#app/components/refresh-button";
import { Streamed } from "#app/router/streamed";
import type { Deferred } from "#app/router/deferred";
import type { ConnectivityLog } from "#domain/records/records";
import type { ConnectivityAction } from "#domain/enums";
import { Badge } from "#app/ui/badge";
import { LoadingBlock } from "#app/ui/spinner";

const COLUMNS = ["Time", "Type", "Target", "Provider", "Result", "Response"];
const WORDS = { failed: "Failed to fetch test logs" };
const TYPES: Record<ConnectivityAction, string> = {
  ping_hub: "Ping hub",
  status_check: "Status check",
  on: "Test ON",
  off: "Test OFF",
};

export function TestLogs({ logs }: { logs: Promise<Deferred<ConnectivityLog[]>> }) {
  return (
    <section aria-labelledby="logs">
      <div className="mb-2 flex items-center justify-between gap-4">
        <h2 id="logs" className="font-semibold">
          Recent Test Logs
        </h2>
        <RefreshButton size="sm" list={logs} words={WORDS} />
      </div>
      <Streamed list={logs} loading={<LoadingBlock label="Loading test logs..." />} failed={WORDS.failed}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon={PlugZap} title="No tests have been run yet" />
          ) : (
            <TestTable logs={rows} />
          )
        }
      </Streamed>
    </section>
  );
}

function TestTable({ logs }: { logs: ConnectivityLog[] }) {
  return (
    <LogTable columns={COLUMNS}>
      {logs.map((log) => (
        <LogRow key={log.id}>
          <LogTime at={log.created_at} />
          <LogCell>{TYPES[log.action]}</LogCell>
          <LogName>{log.device_name ?? log.hub_name ?? "Unknown"}</LogName>
          <LogCell>{log.provider ?? "N/A"}</LogCell>
          <LogCell>
            <Badge
              tone={log.result === "success" ? "ok" : "bad"}
              icon={log.result === "success" ? <Check /> : <CircleX />}
            >
              {log.result}
            </Badge>
          </LogCell>
          <LogNote>{log.response_snippet}</LogNote>
        </LogRow>
      ))}
    </LogTable>
  );
}
