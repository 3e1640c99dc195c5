import { Toaster as Sonner } from "sonner";

/** The constants of spec 9; swiping (45 px, 0.11) is sonner's own. */
export function Toaster() {
  return (
    <Sonner
      theme="system"
      position="bottom-right"
      // A phone's dialogs have their buttons at the bottom.
      mobileOffset={{ bottom: 80 }}
      duration={4000}
      visibleToasts={3}
      gap={14}
      hotkey={["altKey", "KeyT"]}
      containerAriaLabel="Notifications"
    />
  );
}
