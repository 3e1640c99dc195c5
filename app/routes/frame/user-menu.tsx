import { Form } from "@remix-run/react";
import { CircleUserRound, LogOut } from "lucide-react";
import { useOrganization } from "#app/components/organization";
import { PopoverMenu } from "#app/ui/popover-menu";

export function UserMenu() {
  const { user } = useOrganization();
  return (
    <PopoverMenu label="User menu" button={<CircleUserRound aria-hidden className="size-5" />}>
      <div className="border-line mb-1 border-b px-3 py-2">
        <p className="truncate font-medium">{user.email}</p>
        <p className="text-ink-faint text-xs">{user.role}</p>
      </div>
      <Form method="post" action="/sign-out">
        <button type="submit" className="hover:bg-sunken flex h-11 w-full items-center gap-3 rounded-md px-3 sm:h-9">
          <LogOut aria-hidden className="size-4" />
          Sign out
        </button>
      </Form>
    </PopoverMenu>
  );
}
