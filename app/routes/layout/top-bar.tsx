import { FlaskConical, Menu } from "#app/ui/icons";
import { useOrganization } from "#app/components/organization";
import { Badge } from "#app/ui/badge";
import { Button } from "#app/ui/button";
import { Drawer } from "#app/ui/drawer";
import { opensMenu } from "./opens-menu";
import { QuickSearch } from "./quick-search";
import { Sidebar } from "./sidebar";
import { DepartmentSwitcher, OrganizationSwitcher } from "./switchers";
import { UserMenu } from "./user-menu";

/** `isMenuOpen`: of the menu of a narrow screen. */
type Props = { isMenuOpen: boolean; setMenu: (open: boolean) => void };

export function TopBar({ isMenuOpen, setMenu }: Props) {
  const { user, mode } = useOrganization();
  return (
    <header className="top-bar">
      <div className="lg:hidden">
        <Button
          variant="ghost"
          size="icon"
          aria-label="Open menu"
          icon={<Menu className="size-5" />}
          {...opensMenu(() => setMenu(true))}
        />
        <Drawer id="menu" label="Menu" open={isMenuOpen} onClose={() => setMenu(false)}>
          <Sidebar onNavigate={() => setMenu(false)} />
        </Drawer>
      </div>
      <div className="flex min-w-0 flex-1 flex-col justify-center md:flex-row md:items-center md:justify-start md:gap-2">
        <span className="shrink-0 text-xs leading-3.5 font-semibold tracking-tight md:mr-4 md:text-base">
          Lamplighter
        </span>
        <OrganizationSwitcher />
        <DepartmentSwitcher />
      </div>
      <QuickSearch />
      <span className="hidden sm:block">
        <Badge tone="brand">{user.role}</Badge>
      </span>
      <UserMenu />
      {mode === "mock" && (
        <Badge tone="warn" icon={<FlaskConical />}>
          Mock<span className="hidden sm:inline"> mode</span>
        </Badge>
      )}
    </header>
  );
}
