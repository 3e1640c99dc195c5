import { alarms } from "#db/alarms";
import { withNights } from "#db/nights";
import type { Place } from "#db/page";
import { schedulerEvents } from "#db/scheduler-events";
import { schedules } from "#db/schedules";
import { workorders } from "#db/workorders";
import { actorOf } from "#domain/light/actor";
import type { DeviceDetail } from "#domain/records/detail-records";
import { HISTORY_DAYS } from "#domain/records/history-days";
import { upcoming } from "#domain/schedule/upcoming";
import { visibleDepts } from "#domain/records/visibility";
import { told } from "#worker/services/alarms";
import type { Scope } from "#worker/services/scope";
import { settingsService } from "#worker/services/settings";
import { DAY_MS } from "#domain/time/units";
import { toIso } from "#domain/time/to-iso";

const WINDOWS = 3;
const ENTRIES = 20;
const WORKORDERS = 20;
const ALARMS = 20;

type Around = Pick<DeviceDetail, "windows" | "history" | "workorders" | "alarms">;

/** The records around a device or an area on its page that the person may see. One round trip. */
export async function around(scope: Scope, place: Place): Promise<Around> {
  const { user, org_id, db, now: clock } = scope;
  const now = clock();
  const depts = visibleDepts(user);
  const since = "device_id" in place ? "" : new Date(now.getTime() - HISTORY_DAYS.area * DAY_MS).toISOString();
  const [{ APP_TIMEZONE: zone }, [plans, events, open, wrong]] = await Promise.all([
    settingsService(scope).find(),
    db.batch([
      schedules(db, org_id, () => now.toISOString()).plansOf(place, depts),
      schedulerEvents(db, org_id).latestOf(place, depts, { since, limit: ENTRIES }),
      workorders(db, org_id).openOf(place, depts, WORKORDERS),
      alarms(db, org_id).openOf(place, depts, ALARMS),
    ]),
  ]);
  return {
    windows: upcoming(await withNights(db, org_id, plans), now.getTime(), WINDOWS).map(
      ({ plan: { schedule_id, title, lights, is_area_active }, start, end }) => ({
        schedule_id,
        title,
        start_at: toIso(start),
        end_at: toIso(end),
        lights,
        // In an inactive area no schedule switches a light.
        is_running: is_area_active === 1 && start <= now.getTime(),
      }),
    ),
    // An on-site agent's notes are its own words: no secret of one may name a person.
    history: events.map((event) => ({ ...event, actor: event.source === "manual" ? actorOf(event.note) : null })),
    workorders: open,
    alarms: wrong.map((alarm) => told(scope, alarm, zone)),
  };
}
