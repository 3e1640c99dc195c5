import * as Radix from "radix-ui/alert-dialog";
import type { ReactNode } from "react";
import { buttonClasses, type ButtonVariant } from "#app/ui/button";
import { classes } from "#app/ui/classes";
import { useOpener } from "#app/ui/use-opener";

export type AlertDialogProps = {
  title: string;
  description: ReactNode;
  /** The cancel button's label and handler; without them only `children` close the dialog. */
  keep?: string;
  onKeep?: () => void;
  keepVariant?: ButtonVariant;
  /** Hides the page behind the dialog. */
  hidesPage?: boolean;
  children: ReactNode;
};

export function AlertModal({ title, description, keep, onKeep, keepVariant, hidesPage, children }: AlertDialogProps) {
  const giveFocusBack = useOpener();
  return (
    <Radix.Root open onOpenChange={(open) => !open && onKeep?.()}>
      <Radix.Portal>
        <Radix.Overlay
          className={classes("animate-appear fixed inset-0 z-50", hidesPage ? "bg-night" : "bg-[rgb(6_12_24/0.55)]")}
        />
        <Radix.Content
          onCloseAutoFocus={giveFocusBack}
          className="bg-surface border-line animate-rise fixed inset-x-0 bottom-0 z-50 max-h-dvh overflow-y-auto rounded-t-2xl border p-5 shadow-2xl sm:inset-x-auto sm:top-1/2 sm:bottom-auto sm:left-1/2 sm:w-[28rem] sm:max-w-[94vw] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-xl"
        >
          <Radix.Title className="text-base font-semibold">{title}</Radix.Title>
          <Radix.Description className="text-ink-soft mt-2 text-sm">{description}</Radix.Description>
          <div className="mt-5 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
            {keep && <Radix.Cancel className={buttonClasses(keepVariant)}>{keep}</Radix.Cancel>}
            {children}
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
