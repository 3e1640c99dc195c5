import { useSearchParams } from "@remix-run/react";
import { ViewSwitch } from "#app/routes/views/view-switch";
import { viewOf } from "#app/router/view";
import { LayoutDashboard, List } from "#app/ui/icons";
import { keepDeviceView, type DeviceView } from "./device-view";

/** Cards with all details, or a compact list; what was chosen last is kept in this browser. */
export function DeviceViews({ view }: { view: DeviceView }) {
  const [search] = useSearchParams();
  const entry = (of: DeviceView) => ({
    to: `?${new URLSearchParams([...[...viewOf(search)].filter(([name]) => name !== "view"), ["view", of]])}`,
    isCurrent: view === of,
    onChoose: () => keepDeviceView(of),
  });
  return (
    <ViewSwitch
      needScript={false}
      discover="none"
      views={[
        { ...entry("cards"), label: "Cards", icon: <LayoutDashboard className="size-4" /> },
        { ...entry("list"), label: "List", icon: <List className="size-4" /> },
      ]}
    />
  );
}
