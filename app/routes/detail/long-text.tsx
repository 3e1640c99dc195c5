import { classes } from "#app/ui/classes";

/** Fits into two lines of the narrowest card. */
const SHORT = 60;

/** Two lines of a text, and at a press all of it: who may not edit a record has no form that shows the rest. */
export function LongText({ text, className }: { text: string; className: string }) {
  if (text.length <= SHORT) return <p className={className}>{text}</p>;
  return (
    <details className={classes("group", className)}>
      <summary className="line-clamp-2 cursor-pointer group-open:line-clamp-none group-open:whitespace-pre-line">
        {text}
      </summary>
    </details>
  );
}
