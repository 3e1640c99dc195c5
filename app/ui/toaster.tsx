import { Toaster as Sonner } from "sonner";

/** Swiping (45 px, speed 0.11) and the width (356 px) are sonner's defaults. */
export function Toaster() {
  return (
    <Sonner
      theme="system"
      position="bottom-right"
      // Above the buttons of a phone's dialogs, which are at the bottom.
      mobileOffset={{ bottom: 80 }}
      duration={4000}
      visibleToasts={3}
      gap={14}
      hotkey={["altKey", "KeyT"]}
      containerAriaLabel="Notifications"
    />
  );
}
