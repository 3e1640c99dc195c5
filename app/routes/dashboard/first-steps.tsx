import { Link } from "@remix-run/react";
import { CircleCheck, CircleDashed } from "#app/ui/icons";
import { useId } from "react";
import { useCan } from "#app/components/capability";
import { ButtonLink } from "#app/components/button-link";
import type { FirstSteps as Steps } from "#domain/records/first-steps";
import { classes } from "#app/ui/classes";

const STEPS: { key: keyof Steps; title: string; text: string; to: string; go: string }[] = [
  {
    key: "area",
    title: "Create an area",
    text: "A park, field, river or path whose lights belong together.",
    to: "/areas?new=",
    go: "New area",
  },
  {
    key: "hub",
    title: "Add its hub",
    text: "The box through which its lights are reached. Lights in the cloud do without one.",
    to: "/hubs?new=",
    go: "New hub",
  },
  {
    key: "device",
    title: "Add a light",
    text: "One device for each switched light, or group on one switch.",
    to: "/devices?new=",
    go: "New device",
  },
  {
    key: "schedule",
    title: "Schedule it",
    text: "When it goes on and off by itself; a preview shows the nights to come.",
    to: "/schedules?new=",
    go: "New schedule",
  },
];

/** The steps left until the first light runs on schedule. The default export is for onDemand(). */
export default function FirstSteps({ steps }: { steps: Steps }) {
  const heading = useId();
  const mayImport = useCan("import.run");
  const next = STEPS.find(({ key }) => !steps[key] && !(key === "hub" && steps.device));
  return (
    <section aria-labelledby={heading} className="border-line bg-surface mb-4 rounded-xl border sm:mb-5">
      <h2 id={heading} className="border-line border-b px-4 py-3 font-semibold">
        The first light, step by step
      </h2>
      <ol className="divide-line divide-y">
        {STEPS.map(({ key, title, text, to, go }) => {
          const Icon = steps[key] ? CircleCheck : CircleDashed;
          return (
            <li key={key} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
              <Icon className={classes("size-5 shrink-0", steps[key] ? "text-ok-text" : "text-ink-faint")} />
              <div className="min-w-0 flex-[1_1_12rem]">
                <p className="font-medium">
                  {title}
                  {steps[key] && <span className="text-ok-text font-normal"> · done</span>}
                </p>
                <p className="text-ink-soft text-sm">{text}</p>
              </div>
              {!steps[key] && (
                <ButtonLink to={to} variant={key === next?.key ? "primary" : "secondary"}>
                  {go}
                </ButtonLink>
              )}
            </li>
          );
        })}
      </ol>
      {!steps.device && mayImport && (
        <p className="border-line text-ink-soft border-t px-4 py-3">
          Many lights?{" "}
          <Link to="/import" className="text-brand-text font-medium hover:underline">
            Import them from a spreadsheet
          </Link>
        </p>
      )}
    </section>
  );
}
