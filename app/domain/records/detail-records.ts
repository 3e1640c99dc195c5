import { z } from "zod";
import { alarm } from "#domain/alarms/alarm-records";
import { explanation } from "#domain/resolve/explanation";
import { area, areaSummary, device, hub, hubHealth, schedulerEvent, workorder } from "./records";

const instant = z.iso.datetime();

/** A running or upcoming window; equal schedules of several lights are merged into one. */
const upcomingWindow = z.object({
  schedule_id: z.string(),
  title: z.string(),
  start_at: instant,
  end_at: instant,
  lights: z.int().min(1).describe("The number of lights"),
  is_running: z.boolean(),
});
export type UpcomingWindow = z.infer<typeof upcomingWindow>;

/** A switch and the person's e-mail, or null for schedules and the watchdog. */
const historyEntry = z.object({ ...schedulerEvent.shape, actor: z.string().nullable() });
export type HistoryEntry = z.infer<typeof historyEntry>;

const hubWithHealth = z.object({ ...hub.shape, ...hubHealth.omit({ hub_id: true }).shape });
export type HubWithHealth = z.infer<typeof hubWithHealth>;

const around = {
  windows: z.array(upcomingWindow).describe("The next three, running ones first"),
  history: z.array(historyEntry).describe("Latest first"),
  workorders: z.array(workorder).describe("Open or in progress"),
  alarms: z.array(alarm).describe("Those that are not over, latest first"),
};

/** Everything on a device's page. */
export const deviceDetail = z
  .object({
    device,
    explanation: explanation.nullable().describe("Null if the switching engine did not answer in time"),
    hub: hubWithHealth.nullable(),
    ...around,
  })
  .meta({ id: "DeviceDetail" });
export type DeviceDetail = z.infer<typeof deviceDetail>;

/** Everything on an area's page. */
export const areaDetail = z
  .object({
    area,
    summary: areaSummary,
    devices: z
      .array(z.object({ ...device.shape, sentence: z.string().nullable(), refusal: explanation.shape.refusal }))
      .describe("The first 60, by name"),
    hubs: z.array(hubWithHealth),
    ...around,
  })
  .meta({ id: "AreaDetail" });
export type AreaDetail = z.infer<typeof areaDetail>;
