import { counted, grouped } from "#domain/counted";
import { Link } from "@remix-run/react";
import { HiddenFields } from "#app/forms/hidden-fields";
import { useAnswer } from "#app/forms/use-answer";
import { Part } from "#app/routes/import/part";
import { StateBadge } from "#app/routes/import/state-badge";
import type { ImportDetail } from "#domain/organization/import-records";
import { Button } from "#app/ui/button";
import { Card } from "#app/ui/card";
import { useNoScript } from "#app/ui/no-script";
import { Changes } from "./changes";
import { Counts } from "./counts";
import { Problems } from "./problems";
import { usePoll } from "./use-poll";

/** One import from its check to its end. While the server works on it, the page looks again by itself. */
export function ImportScreen({ job }: { job: ImportDetail }) {
  const isBusy = job.state === "checking" || job.state === "applying";
  usePoll(isBusy);
  return (
    <div className="flex flex-col gap-4">
      <Card aria-label="State" className="flex flex-col gap-3 p-4">
        <div className="flex flex-wrap items-center gap-3" role="status">
          <StateBadge state={job.state} />
          <p>{sentenceOf(job)}</p>
        </div>
        {isBusy && <Progress job={job} />}
        {job.state === "ready" && <Apply job={job} />}
        {job.state === "failed" && (
          <p>
            <Link to="/import" className="text-brand-text font-medium hover:underline">
              Choose another file
            </Link>
          </p>
        )}
      </Card>
      {job.problems.length > 0 && (
        <Part title={`Problems (${grouped(job.problem_count)})`}>
          <Problems problems={job.problems} all={job.problem_count} />
        </Part>
      )}
      {(job.state === "ready" || job.state === "applying" || job.state === "done") && (
        <Part title="Rows">
          <Counts counts={job.counts} />
        </Part>
      )}
      {job.changes.length > 0 && (
        <Part title="What will change">
          <Changes changes={job.changes} all={changesOf(job)} />
        </Part>
      )}
    </div>
  );
}

function Progress({ job: { id, state, done, rows } }: { job: ImportDetail }) {
  const noScript = useNoScript();
  const isChecking = state === "checking";
  const label = isChecking
    ? `${grouped(done)} of ${counted(rows, "row")} checked`
    : `${counted(rows, "row")} ${rows === 1 ? "is" : "are"} written all at once. You can close this page, and come back.`;
  return (
    <div className="flex flex-col gap-1.5">
      <progress
        aria-label={isChecking ? "Rows checked" : "Import"}
        className="accent-brand h-2 w-full"
        {...(isChecking ? { value: done, max: rows } : {})}
      />
      <p className="text-ink-soft text-sm">{label}</p>
      {noScript && (
        <Link to={`/import/${id}`} className="text-brand-text font-medium underline">
          Look again
        </Link>
      )}
    </div>
  );
}

function Apply({ job }: { job: ImportDetail }) {
  const { fetcher, pending } = useAnswer();
  const changes = changesOf(job);
  if (changes === 0) return null;
  return (
    <fetcher.Form method="post" className="flex flex-wrap gap-2">
      <HiddenFields intent="apply" />
      <Button type="submit" variant="primary" pending={pending}>
        {pending ? "Importing..." : `Import ${counted(changes, "change")}`}
      </Button>
    </fetcher.Form>
  );
}

function sentenceOf(job: ImportDetail): string {
  const changes = changesOf(job);
  switch (job.state) {
    case "checking":
      return "The file is being checked.";
    case "ready":
      return changes === 0
        ? "Everything in this file is here already, as it says. There is nothing to import."
        : "The file has no problems. Look at what will change, then import it.";
    case "applying":
      return "The file is being imported.";
    case "done":
      return `${counted(changes, "change")} imported. The activity log has each of them.`;
    case "failed":
      return job.reason ?? "It failed, and nothing was changed.";
  }
}

function changesOf({ counts }: ImportDetail): number {
  return Object.values(counts).reduce((sum, { create, update }) => sum + create + update, 0);
}
