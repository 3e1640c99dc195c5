import { stretch, type Ends } from "#app/components/night/place";
import { barKind } from "#app/components/night/bar-kind";
import { barKey, type NightLight } from "#domain/tonight/tonight";

/** All lanes of a large area together are about as high as this many of full height. */
const FULL_LANES = 12;

/** A thin lane for each light of a folded area: an overview, of which its lights' rows tell the details. */
export function Lanes({ lights, frame }: { lights: NightLight[]; frame: Ends }) {
  const height = Math.max(1, Math.min(4, Math.floor((FULL_LANES * 5) / lights.length) - 1));
  return (
    <div aria-hidden className="flex flex-col gap-px py-1.5">
      {lights.map(({ id, bars, seen }) => (
        <div key={id} className="lane" style={height === 4 ? undefined : { height }}>
          {bars.map((bar) => (
            <i key={barKey(bar)} data-why={barKind(bar)} style={stretch(bar, frame)} />
          ))}
          {seen.map((each) => (
            <i key={`${each.from} ${each.as}`} data-as={each.as} style={stretch(each, frame)} />
          ))}
        </div>
      ))}
    </div>
  );
}
