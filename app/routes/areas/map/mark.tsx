import { STATE_WORDS, type MarkState } from "./area-state";
import { MARKS } from "./marks";

/** The mark of an area outside of the map. The words beside it say the same. */
export function Mark({ state }: { state: MarkState }) {
  return (
    <svg aria-hidden data-mark={state} viewBox="0 0 24 24" className="size-5 shrink-0">
      {MARKS[state].map(({ d, fill, stroke, width, dash }) => (
        <path
          key={d}
          d={d}
          fill={fill ? `var(--${fill})` : "none"}
          stroke={stroke ? `var(--${stroke})` : "none"}
          strokeWidth={width}
          strokeDasharray={dash?.join(" ")}
        />
      ))}
    </svg>
  );
}

const LEGEND = ["lit", "dark", "wrong", "unknown"] as const satisfies MarkState[];

export const Legend = () => (
  <ul aria-label="Legend" className="map-legend">
    {LEGEND.map((state) => (
      <li key={state}>
        <Mark state={state} />
        {STATE_WORDS[state]}
      </li>
    ))}
  </ul>
);
