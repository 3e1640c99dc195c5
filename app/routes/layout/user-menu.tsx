import { Form, Link } from "@remix-run/react";
import { CircleUserRound, KeyRound, LogOut, Settings } from "#app/ui/icons";
import { useOrganization } from "#app/components/organization";
import { opens } from "#app/router/view";
import { PopoverMenu } from "#app/ui/popover-menu";
import { ThemeChoice } from "./theme-choice";

export function UserMenu() {
  const { user } = useOrganization();
  return (
    <PopoverMenu label="User menu" button={<CircleUserRound className="size-5" />}>
      <div className="border-line mb-1 border-b px-3 py-2">
        <p className="truncate font-medium">{user.email}</p>
        <p className="text-ink-faint text-xs">{user.role}</p>
      </div>
      <ThemeChoice />
      <Link to="/settings" prefetch="intent" className={ITEM}>
        <Settings className="size-4" />
        Settings
      </Link>
      <Link to="/account" className={ITEM}>
        <CircleUserRound className="size-4" />
        Account
      </Link>
      <button {...opens("password")} className={ITEM}>
        <KeyRound className="size-4" />
        Change password
      </button>
      <Form method="post" action="/sign-out">
        <button type="submit" className={ITEM}>
          <LogOut className="size-4" />
          Sign out
        </button>
      </Form>
    </PopoverMenu>
  );
}

const ITEM = "hover:bg-sunken flex h-11 w-full items-center gap-3 rounded-md px-3 sm:h-9";
