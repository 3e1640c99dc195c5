import type { User } from "#domain/records";
import type { areaService } from "#worker/services/areas";
import type { dashboardService } from "#worker/services/dashboard";
import type { departmentService } from "#worker/services/departments";
import type { deviceService } from "#worker/services/devices";
import type { hubService } from "#worker/services/hubs";
import type { scheduleService } from "#worker/services/schedules";
import type { schedulerEventService } from "#worker/services/scheduler-events";
import type { settingsService } from "#worker/services/settings";

/** Every verb a signed-in person has; made for one user, in one organization. */
export type Services = {
  areas: ReturnType<typeof areaService>;
  dashboard: ReturnType<typeof dashboardService>;
  departments: ReturnType<typeof departmentService>;
  devices: ReturnType<typeof deviceService>;
  hubs: ReturnType<typeof hubService>;
  schedules: ReturnType<typeof scheduleService>;
  schedulerEvents: ReturnType<typeof schedulerEventService>;
  settings: ReturnType<typeof settingsService>;
};

export type SignedIn = { user: User; token: string; services: Services };
