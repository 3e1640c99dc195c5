import { Form, NavLink } from "@remix-run/react";
import { LogOut } from "#app/ui/icons";
import { useOrganization } from "#app/components/organization";
import { personOf } from "#domain/light/person-of";
import { OpenAlarms } from "./open-alarms";
import { Brand } from "./brand";
import { screensOf } from "./screens";

/** With `onNavigate` it is a second one, whose links the browser knows from the first. */
export function Sidebar({ onNavigate }: { onNavigate?: () => void }) {
  const { user } = useOrganization();
  return (
    <div className="bg-night text-night-ink flex h-full flex-col">
      <Brand />
      <nav aria-label="Main" className="flex-1 overflow-y-auto px-3 py-2">
        <ul className="flex flex-col gap-0.5">
          {screensOf(user).map(({ to, label, icon: Icon }) => (
            <li key={to}>
              <NavLink
                to={to}
                prefetch="intent"
                discover={onNavigate ? "none" : "render"}
                onClick={onNavigate}
                className="sidebar-entry"
              >
                <Icon />
                {label}
                {to === "/alarms" && <OpenAlarms />}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <div className="border-night-line flex items-center justify-between gap-2 border-t px-4 py-3">
        <div className="min-w-0">
          <p className="truncate font-medium">{personOf(user.email)}</p>
          <p className="text-night-soft text-xs">{user.role}</p>
        </div>
        <Form method="post" action="/sign-out">
          <button
            type="submit"
            title="Sign out"
            className="text-night-soft hover:bg-night-raised hover:text-night-ink flex size-11 items-center justify-center rounded-md lg:size-9"
          >
            <LogOut className="size-4.5" />
          </button>
        </Form>
      </div>
    </div>
  );
}
