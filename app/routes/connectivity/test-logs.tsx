import { Check, CircleX, PlugZap, RotateCw } from "lucide-react";
import { EmptyState } from "#app/components/empty-state";
import { useRefresh } from "#app/components/freshness";
import { useOrganization } from "#app/components/organization";
import { Streamed } from "#app/components/streamed";
import type { Arrival } from "#app/streaming";
import { formatInstant } from "#domain/display";
import type { ConnectivityLog } from "#domain/records";
import type { ConnectivityAction } from "#domain/words";
import { Badge } from "#app/ui/badge";
import { Button } from "#app/ui/button";
import { Card } from "#app/ui/card";
import { LoadingBlock } from "#app/ui/spinner";

const COLUMNS = ["Time", "Type", "Target", "Provider", "Result", "Response"];
const WORDS = { failed: "Failed to fetch test logs" };
const TYPES: Record<ConnectivityAction, string> = {
  ping_hub: "Ping hub",
  status_check: "Status check",
  on: "Test ON",
  off: "Test OFF",
};

export function TestLogs({ logs }: { logs: Promise<Arrival<ConnectivityLog[]>> }) {
  const { refreshing, refresh } = useRefresh(logs, WORDS);
  return (
    <section aria-labelledby="logs">
      <div className="mb-2 flex items-center justify-between gap-4">
        <h2 id="logs" className="font-semibold">
          Recent Test Logs
        </h2>
        <Button size="sm" icon={<RotateCw className="size-4" />} pending={refreshing} onClick={refresh}>
          Refresh
        </Button>
      </div>
      <Streamed list={logs} loading={<LoadingBlock label="Loading test logs..." />} failed={WORDS.failed}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon={PlugZap} title="No tests have been run yet" />
          ) : (
            <LogTable logs={rows} />
          )
        }
      </Streamed>
    </section>
  );
}

/** As in the Events Log: a table on a desk, small blocks on a phone. */
function LogTable({ logs }: { logs: ConnectivityLog[] }) {
  return (
    <Card className="overflow-hidden">
      <table className="w-full text-left max-md:block">
        <thead className="bg-sunken text-ink-soft text-xs max-md:sr-only">
          <tr>
            {COLUMNS.map((column) => (
              <th key={column} scope="col" className="px-4 py-2.5 font-medium">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-line divide-y max-md:block">
          {logs.map((log) => (
            <LogRow key={log.id} log={log} />
          ))}
        </tbody>
      </table>
    </Card>
  );
}

const CELL = "px-4 py-2.5 align-middle max-md:p-0";

function LogRow({ log }: { log: ConnectivityLog }) {
  const { zone } = useOrganization();
  const isSuccess = log.result === "success";
  return (
    <tr className="max-md:flex max-md:flex-wrap max-md:items-center max-md:gap-x-2 max-md:gap-y-1.5 max-md:px-4 max-md:py-3">
      <td className={`${CELL} text-ink-soft whitespace-nowrap max-md:order-2 max-md:ml-auto max-md:text-xs`}>
        <time dateTime={log.created_at}>{formatInstant(log.created_at, zone)}</time>
      </td>
      <td className={`${CELL} max-md:order-4`}>{TYPES[log.action]}</td>
      <th scope="row" className={`${CELL} font-medium max-md:order-1 max-md:max-w-[65%] max-md:truncate`}>
        {log.device_name ?? log.hub_name ?? "Unknown"}
      </th>
      <td className={`${CELL} text-ink-soft max-md:order-4`}>{log.provider ?? "N/A"}</td>
      <td className={`${CELL} max-md:order-4`}>
        <Badge tone={isSuccess ? "ok" : "bad"} icon={isSuccess ? <Check /> : <CircleX />}>
          {log.result}
        </Badge>
      </td>
      <td className={`${CELL} text-ink-soft break-words max-md:order-5 max-md:w-full max-md:empty:hidden`}>
        {log.response_snippet}
      </td>
      <td aria-hidden className="hidden max-md:order-3 max-md:block max-md:h-0 max-md:w-full" />
    </tr>
  );
}
