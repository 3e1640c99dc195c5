import { Check, CircleX } from "#app/ui/icons";
import { useOrganization } from "#app/components/organization";
import { formatInstant } from "#domain/time/display";
import { Card } from "#app/ui/card";
import { classes } from "#app/ui/classes";
import type { Result } from "./use-tests";

/**
 * The latest 10 results of this session, newest first. To a screen reader it says those of a full test as they come; a toast
 * says that of a single one.
 */
export function Results({ results, isFull }: { results: Result[]; isFull: boolean }) {
  return (
    <Card aria-labelledby="results" className="flex max-h-96 flex-col">
      <h2 id="results" className="border-line border-b px-4 py-3 font-semibold">
        Test Results
      </h2>
      <div
        role="region"
        aria-labelledby="results"
        aria-live={isFull ? "polite" : "off"}
        // A scrolling region must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto"
      >
        {results.length === 0 ? (
          <p className="text-ink-faint px-4 py-10 text-center">No tests in this session yet</p>
        ) : (
          <ol className="divide-line divide-y">
            {results.map((result) => (
              <Row key={result.id} result={result} />
            ))}
          </ol>
        )}
      </div>
    </Card>
  );
}

function Row({ result: { at, ok, words, detail } }: { result: Result }) {
  const { zone } = useOrganization();
  const Icon = ok ? Check : CircleX;
  return (
    <li className="flex items-start gap-2.5 px-4 py-2.5">
      <Icon
        aria-label={ok ? "success" : "failure"}
        className={classes("mt-0.5 size-4 shrink-0", ok ? "text-ok-text" : "text-bad-text")}
      />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{words}</p>
        {detail && <p className="text-ink-soft text-xs">{detail}</p>}
      </div>
      <time dateTime={at} className="text-ink-faint shrink-0 text-xs">
        {formatInstant(at, zone)}
      </time>
    </li>
  );
}
