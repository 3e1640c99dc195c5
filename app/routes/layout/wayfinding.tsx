import { KeptFocus } from "./kept-focus";
import { ToldTitle } from "./told-title";

/** For whoever works by keyboard or by ear: where they are, and that they stay there. The default export is for onDemand(). */
export default function Wayfinding() {
  return (
    <>
      <KeptFocus />
      <ToldTitle />
    </>
  );
}
