import {
  Building2,
  CalendarClock,
  ClipboardList,
  History,
  LayoutDashboard,
  Lightbulb,
  MapPinned,
  Moon,
  PlugZap,
  Router,
  ScrollText,
  Settings,
  ShieldCheck,
  Siren,
  type IconComponent,
} from "#app/ui/icons";
import { can, type Capability } from "#domain/organization/permissions";
import type { User } from "#domain/records/records";

type Screen = { to: string; label: string; icon: IconComponent; needs?: Capability };

export const SCREENS: Screen[] = [
  { to: "/dashboard", label: "Dashboard", icon: LayoutDashboard },
  { to: "/tonight", label: "Tonight", icon: Moon },
  { to: "/alarms", label: "Alarms", icon: Siren },
  { to: "/areas", label: "Areas", icon: MapPinned },
  { to: "/hubs", label: "Hubs", icon: Router },
  { to: "/devices", label: "Devices", icon: Lightbulb },
  { to: "/schedules", label: "Schedules", icon: CalendarClock },
  { to: "/workorders", label: "Workorders", icon: ClipboardList },
  { to: "/events", label: "Events Log", icon: ScrollText },
  { to: "/history", label: "History", icon: History },
  { to: "/connectivity", label: "Connectivity Test", icon: PlugZap, needs: "connectivity.test" },
  { to: "/departments", label: "Departments", icon: Building2, needs: "department.edit" },
  { to: "/guardrails", label: "Guardrails", icon: ShieldCheck, needs: "guardrails.edit" },
  { to: "/settings", label: "Settings", icon: Settings, needs: "settings.edit" },
];

/** The screens that the person may see. */
export function screensOf(user: User): Screen[] {
  return SCREENS.filter(({ needs }) => !needs || can(user, needs));
}
