import { queryOf } from "#app/router/query";
import { writeCookie } from "#app/session/browser-cookie";

export const DEVICE_VIEWS = ["cards", "list"] as const;
export type DeviceView = (typeof DEVICE_VIEWS)[number];

const YEAR_SEC = 365 * 86_400;

/** How the lights are shown: as the address says, else as they were last in this browser. */
export function deviceViewOf(request: Request): DeviceView {
  const { view: asked } = queryOf(request);
  const kept = /(?:^|; )device_view=(\w+)/.exec(request.headers.get("Cookie") ?? "")?.[1];
  return DEVICE_VIEWS.find((view) => view === asked) ?? DEVICE_VIEWS.find((view) => view === kept) ?? "cards";
}

/** For the next time. */
export function keepDeviceView(view: DeviceView): void {
  writeCookie(`device_view=${view}; Path=/; Max-Age=${YEAR_SEC}; SameSite=Lax`);
}
