import type { Flash } from "#app/session/flash";
import { classes } from "#app/ui/classes";

/** Shows on the page what a toast would say, for browsers without script. */
export function NoScriptFlash({ ok, toast, detail }: Flash) {
  return (
    <div
      role={ok ? "status" : "alert"}
      className={classes("px-4 py-3 text-center", ok ? "bg-ok-soft text-ok-text" : "bg-bad-soft text-bad-text")}
    >
      <p className="font-medium">{toast}</p>
      {detail && <p>{detail}</p>}
    </div>
  );
}
