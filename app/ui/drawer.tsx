import * as Radix from "radix-ui/dialog";
import type { ReactNode } from "react";

type Props = {
  label: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  trigger: ReactNode;
  children: ReactNode;
};

/** From the left edge, for what has no room on a phone. */
export function Drawer({ label, open, onOpenChange, trigger, children }: Props) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Overlay className="animate-appear fixed inset-0 z-40 bg-[rgb(6_12_24/0.55)]" />
        <Radix.Content
          aria-describedby={undefined}
          className="animate-slide-in fixed inset-y-0 left-0 z-50 w-72 max-w-[85vw]"
        >
          <Radix.Title className="sr-only">{label}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
