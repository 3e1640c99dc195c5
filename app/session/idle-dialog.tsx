import { useEffect, useRef } from "react";
import { Button, buttonClasses } from "#app/ui/button";

/**
 * In the platform's own modal dialog, over whatever is open. Pressing anything keeps the session while there is one.
 */
export function IdleDialog({ ended }: { ended: boolean }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="idle-title"
      onCancel={(event) => ended && event.preventDefault()}
      className="bg-surface text-ink border-line m-auto w-[26rem] max-w-[94vw] rounded-xl border p-5 shadow-2xl backdrop:bg-[rgb(6_12_24/0.55)]"
    >
      <h2 id="idle-title" className="text-lg font-semibold">
        {ended ? "You were signed out" : "Are you still there?"}
      </h2>
      <p className="text-ink-soft mt-1 mb-4">
        {ended
          ? "Nothing happened here for a while. Sign in again in a new tab and come back: what you typed here is kept."
          : "You will be signed out in less than two minutes, because nothing happened here for a while."}
      </p>
      {ended ? (
        <a href="/login" target="_blank" rel="noreferrer" className={buttonClasses("primary")}>
          Sign in again
        </a>
      ) : (
        <Button look="primary">Stay signed in</Button>
      )}
    </dialog>
  );
}
