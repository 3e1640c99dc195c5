import { ShieldCheck } from "#app/ui/icons";
import { Link } from "@remix-run/react";
import { useOrganization } from "#app/components/organization";
import { Section } from "#app/routes/detail/section";
import { sourceWords } from "#app/routes/guardrails/place-limits";
import { darkWords } from "#domain/guardrails/dark-hours";
import { maxOnWords } from "#domain/guardrails/policy";
import type { AreaGuardrails, Closure, Permit } from "#domain/guardrails/limit-records";
import { spanWords } from "#domain/time/span-words";
import type { Area } from "#domain/records/records";
import { capitalized } from "#domain/capitalized";

type Props = { area: Area; guardrails: AreaGuardrails; closures: Closure[]; permits: Permit[]; now: number };

/** What limits the area's lights, and which level says so; its closures and permits. */
export function AreaLimits({ area, guardrails, closures, permits, now }: Props) {
  const { zone } = useOrganization();
  const only = new URLSearchParams({ area: area.id });
  return (
    <Section icon={ShieldCheck} title="Limits in force">
      <ul className="divide-line divide-y">
        {limitsOf(guardrails, area.type).map(({ words, source }) => (
          <Line key={words} text={words} note={`From ${source}`} />
        ))}
        {guardrails.groups.map(({ id, name, words }) => (
          <Line key={id} text={`${name}: ${words}`} note="From this group" />
        ))}
        {closures.map((closure) => (
          <Line
            key={closure.id}
            text={`Closed: ${closure.reason}`}
            note={`${closure.target.name}. ${spanWords(closure, zone, now)}`}
          />
        ))}
        {permits.map((permit) => (
          <Line
            key={permit.id}
            text={`Permit: ${permit.reason}`}
            note={`${permit.target.name}. ${spanWords(permit, zone, now)}`}
          />
        ))}
      </ul>
      <p className="border-line flex flex-wrap gap-x-4 border-t px-4 py-1 sm:py-2.5">
        {[
          ["/closures", "Closures"],
          ["/permits", "Permits"],
        ].map(([to, label]) => (
          <Link
            key={label}
            to={`${to}?${only}`}
            prefetch="intent"
            className="text-brand-text flex min-h-11 items-center text-sm hover:underline sm:min-h-0"
          >
            {label}
          </Link>
        ))}
      </p>
    </Section>
  );
}

function Line({ text, note }: { text: string; note: string }) {
  return (
    <li className="px-4 py-2.5">
      <p className="font-medium">{text}</p>
      <p className="text-ink-soft text-sm">{note}</p>
    </li>
  );
}

function limitsOf(guardrails: AreaGuardrails, type: string) {
  const { HARD_CURFEW_OFF, BLACKOUT_WINDOW, MAX_ON_DURATION_MIN } = guardrails;
  const dark = { HARD_CURFEW_OFF: HARD_CURFEW_OFF.value, BLACKOUT_WINDOW: BLACKOUT_WINDOW.value };
  return [
    { words: darkWords(dark), source: sourceWords(HARD_CURFEW_OFF.source, type) },
    {
      words: capitalized(maxOnWords(MAX_ON_DURATION_MIN.value)),
      source: sourceWords(MAX_ON_DURATION_MIN.source, type),
    },
  ];
}
