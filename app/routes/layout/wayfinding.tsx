import { KeptFocus } from "./kept-focus";
import { KeptScroll } from "./kept-scroll";
import { SteadyPress } from "./steady-press";
import { ToldTitle } from "./told-title";

/** Where one is, above all by keyboard or by ear, that one stays there, and presses what one means. The default export is for onDemand(). */
export default function Wayfinding() {
  return (
    <>
      <KeptFocus />
      <KeptScroll />
      <SteadyPress />
      <ToldTitle />
    </>
  );
}
