import { NeedsAttention } from "#app/attention/needs-attention";
import { OnNow } from "#app/attention/on-now";
import type { Attention, OnNow as Lit } from "#domain/alarms/attention";
import type { LimitsNow } from "#domain/records/dashboard-page";
import { LimitsLine } from "./limits-line";

type Props = { attention: Attention; lit: Lit; limits: LimitsNow };

/** What is wrong, beside what is on now and the limits in force. The default export is for onDemand(). */
export default function NightPanels({ attention, lit, limits }: Props) {
  return (
    <div className="panels">
      <NeedsAttention attention={attention} />
      <OnNow lit={lit} all={{ to: "/tonight", label: "Tonight" }}>
        <LimitsLine limits={limits} />
      </OnNow>
    </div>
  );
}
