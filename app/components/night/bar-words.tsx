import type { NightBar, NightLight } from "#domain/tonight/tonight";
import { verifiedWords } from "#domain/tonight/tonight-words";
import { barHours } from "./bar-hours";
import type { NightContext } from "./bar-track";
import { WhyChip } from "./why-chip";

type Props = { bar: NightBar; light: NightLight; night: NightContext };

/** Why a bar is there, when, by whom, and what readings say of it. */
export function BarWords({ bar, light, night: { known, zone } }: Props) {
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <WhyChip bar={bar} />
      <span>
        {barHours(bar, zone)}: {bar.sentence}
      </span>
      <span className="text-ink-soft">
        ({bar.who !== null && `${bar.who}; `}
        {verifiedWords(bar, light, known, zone)})
      </span>
    </p>
  );
}
