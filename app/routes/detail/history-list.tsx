import { History } from "#app/ui/icons";
import { ResultBadge, StateBadge } from "#app/components/badges";
import { useOrganization } from "#app/components/organization";
import { HISTORY_DAYS } from "#domain/records/history-days";
import { formatDated } from "#domain/time/display";
import { DAY_MS } from "#domain/time/units";
import type { HistoryEntry } from "#domain/records/detail-records";
import type { CommandSource } from "#domain/enums";
import { NameLink, deviceHref } from "#app/components/page-links";
import { Nothing, Section } from "#app/routes/detail/section";

type Props = {
  history: HistoryEntry[];
  /** The light or the area that it is of. */
  of: { created_at: string };
  /** The link to the whole log. */
  all: string;
  /** Whether each entry names its light, as on an area's page. */
  namesDevices?: true;
};

/** How many to show; the log has the rest. */
const SHOWN = 12;

const ACTORS: Record<CommandSource, string> = { scheduler: "Schedule", watchdog: "Watchdog", manual: "Somebody" };

/** The latest switches and who caused them. */
export function HistoryList({ history, of, all, namesDevices }: Props) {
  const { zone, loaded_at } = useOrganization();
  return (
    <Section icon={History} title="History" more={{ to: all, label: "All events" }}>
      {history.length === 0 ? (
        <Nothing>{quietWords(of, HISTORY_DAYS[namesDevices ? "area" : "device"], loaded_at)}</Nothing>
      ) : (
        <ul className="divide-line divide-y">
          {history.slice(0, SHOWN).map((entry) => (
            <li key={entry.id} className="flex flex-col gap-1 px-4 py-2.5">
              <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <StateBadge state={entry.action} />
                <ResultBadge event={entry} />
                {namesDevices && <DeviceName entry={entry} />}
                <span className="text-ink-soft min-w-0">{entry.actor ?? ACTORS[entry.source]}</span>
                <time dateTime={entry.ts} className="text-ink-soft ml-auto text-xs whitespace-nowrap">
                  {formatDated(entry.ts, zone, loaded_at)}
                </time>
              </div>
              <p className="text-ink-soft text-sm empty:hidden">{entry.note}</p>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** What was before those days is in the log, and not here. `now` is epoch ms. */
function quietWords({ created_at }: Props["of"], days: number, now: number): string {
  const isNew = now - Date.parse(created_at) < days * DAY_MS;
  return isNew ? "Nothing has been switched yet." : `Nothing was switched in the last ${days} days.`;
}

function DeviceName({ entry: { device_id, device_name } }: { entry: HistoryEntry }) {
  const name = device_name ?? "Unknown Device";
  return (
    <span className="min-w-0 font-medium">
      {device_id ? <NameLink to={deviceHref(device_id)}>{name}</NameLink> : name}
    </span>
  );
}
