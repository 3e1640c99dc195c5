import { connectivityLogs } from "#db/connectivity-logs";
import { devices } from "#db/devices";
import { hubs } from "#db/hubs";
import type { PingAnswer, StatusAnswer, TestAnswer } from "#domain/hubs/connectivity";
import { pingInput, statusInput, testInput } from "#domain/hubs/connectivity-schema";
import { logQuery } from "#domain/lists/log-query";
import { mayToggle } from "#domain/organization/permissions";
import type { ConnectivityLog, Device } from "#domain/records/records";
import { visibleDepts } from "#domain/records/visibility";
import { audited } from "#worker/services/audit";
import { parse } from "#worker/services/parse";
import { invalid, permitRecord } from "#worker/services/refuse";
import { permit, unanswered, type Scope } from "#worker/services/scope";

/**
 * Connectivity tests, for admins and managers. The engine runs them and writes their logs. All refuse with `forbidden` and
 * `invalid`, also an id that the person does not see, and with `unavailable` if the engine cannot be reached.
 */
export function connectivityService(scope: Scope) {
  const { user, org_id, db, scheduler } = scope;

  async function findDevice(device_id: string): Promise<Device> {
    const device = await devices(db, org_id).find(device_id, visibleDepts(user));
    if (!device) throw invalid("device_id", "Device not found");
    return device;
  }

  return {
    /** The latest first. `query` has limit and cursor. */
    list: async (query: unknown = {}): Promise<ConnectivityLog[]> => {
      permit(user, "connectivity.test");
      return connectivityLogs(db, org_id).list(parse(logQuery, query), visibleDepts(user));
    },

    /** A silent hub is a normal answer. */
    pingHub: async (input: unknown): Promise<PingAnswer> => {
      permit(user, "connectivity.test");
      const { hub_id } = parse(pingInput, input);
      if (!(await hubs(db, org_id).find(hub_id))) throw invalid("hub_id", "Hub not found");
      return scheduler.pingHub({ org_id, hub_id }).catch(unanswered);
    },

    /** Reads the light now, without switching it. */
    readState: async (input: unknown): Promise<StatusAnswer> => {
      permit(user, "connectivity.test");
      const { device_id } = parse(statusInput, input);
      await findDevice(device_id);
      return scheduler.readState({ org_id, device_id }).catch(unanswered);
    },

    /** Switches the light, within the guardrails. Refuses with `forbidden` who may only read it, too. */
    testSwitch: async (input: unknown): Promise<TestAnswer> => {
      permit(user, "connectivity.test");
      const { device_id, action } = parse(testInput, input);
      const device = await findDevice(device_id);
      permitRecord(mayToggle(user, device));
      await db.batch([audited(scope, "test", "device", device_id, { after: { name: device.name, action } })]);
      return scheduler.testSwitch({ org_id, device_id, action }).catch(unanswered);
    },

    /**
     * Returns the device to its schedules at once; the engine would do so after a timeout. Refuses with `forbidden` who may
     * only read it, too.
     */
    endTest: async (input: unknown): Promise<void> => {
      permit(user, "connectivity.test");
      const { device_id } = parse(statusInput, input);
      // It switches the light back, and ends a test of whoever it is.
      permitRecord(mayToggle(user, await findDevice(device_id)));
      return scheduler.endTest({ org_id, device_id }).catch(unanswered);
    },
  };
}
