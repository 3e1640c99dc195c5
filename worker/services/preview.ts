import { schedules } from "#db/schedules";
import type { PreviewRequest } from "#domain/forecast/preview-request";
import type { SchedulePreview } from "#domain/forecast/preview-schema";
import { previewWarnings, windowsToCome } from "#domain/forecast/preview-warnings";
import { visibleDepts } from "#domain/records/visibility";
import { toIso } from "#domain/time/to-iso";
import { unanswered, type Scope } from "#worker/services/scope";

/** What a schedule that was found valid would come to; refuses with `unavailable` if the engine cannot be reached. */
export async function previewOf(scope: Scope, request: PreviewRequest): Promise<SchedulePreview> {
  const { schedule } = request;
  const now = scope.now().getTime();
  const seen = await scope.scheduler.preview({ org_id: scope.org_id, ...request }).catch(unanswered);
  const visible = await visibleAmong(
    scope,
    seen.conflicts.map(({ schedule_id }) => schedule_id),
  );
  return {
    count: windowsToCome(schedule, now),
    next: seen.windows.map(({ start, end, lit, limits }) => ({
      start_at: toIso(start),
      end_at: toIso(end),
      lit: lit.map(({ from, to }) => ({ from: toIso(from), to: toIso(to) })),
      limits,
    })),
    conflicts: seen.conflicts.map(({ schedule_id, title, start, end }) => ({
      ...(visible.has(schedule_id) ? { schedule_id, title } : { schedule_id: null, title: "Another booking" }),
      start_at: toIso(start),
      end_at: toIso(end),
    })),
    warnings: previewWarnings(schedule, seen, now),
  };
}

async function visibleAmong({ user, org_id, db, now }: Scope, ids: string[]): Promise<Set<string>> {
  const repository = schedules(db, org_id, () => now().toISOString());
  const found = await Promise.all([...new Set(ids)].map((id) => repository.find(id, visibleDepts(user))));
  return new Set(found.flatMap((schedule) => schedule?.id ?? []));
}
