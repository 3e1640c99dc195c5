import { NavLink } from "@remix-run/react";
import { Menu } from "#app/ui/icons";
import { OpenAlarms } from "./open-alarms";
import { opensMenu } from "./opens-menu";
import { SCREENS } from "./screens";

/** What one needs at night. */
const AT_NIGHT = ["/tonight", "/dashboard", "/devices", "/alarms"];

/** On a phone, the screens of the night within a thumb's reach, and the menu for the others. */
export function BottomBar({ onMenu }: { onMenu: () => void }) {
  const shown = AT_NIGHT.flatMap((path) => SCREENS.filter(({ to }) => to === path));
  return (
    <nav aria-label="At night" data-bar className="bottom-bar">
      <ul>
        {shown.map(({ to, label, icon: Icon }) => (
          <li key={to}>
            <NavLink to={to} prefetch="intent" discover="none">
              <Icon />
              {label}
              {to === "/alarms" && <OpenAlarms isShort className="absolute top-1 left-1/2 ml-1" />}
            </NavLink>
          </li>
        ))}
        <li>
          <button type="button" {...opensMenu(onMenu)}>
            <Menu />
            More
          </button>
        </li>
      </ul>
    </nav>
  );
}
