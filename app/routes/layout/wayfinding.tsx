import { KeptFocus } from "./kept-focus";
import { KeptScroll } from "./kept-scroll";
import { ToldTitle } from "./told-title";

/** Where one is, above all by keyboard or by ear, and that one stays there. The default export is for onDemand(). */
export default function Wayfinding() {
  return (
    <>
      <KeptFocus />
      <KeptScroll />
      <ToldTitle />
    </>
  );
}
