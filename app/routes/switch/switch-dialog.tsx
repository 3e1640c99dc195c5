import { useState } from "react";
import { FormShell } from "#app/forms/form-shell";
import { MomentField } from "#app/forms/moment-field";
import { useFormZone } from "#app/forms/use-form-zone";
import { useInitialValue } from "#app/forms/use-initial-value";
import { Note } from "#app/components/note";
import { useCan } from "#app/components/capability";
import { counted } from "#domain/counted";
import { MAX_TITLE } from "#domain/fields/limits";
import { Field, FieldScope, Select, TextInput } from "#app/ui/field";
import { useNoScript } from "#app/ui/no-script";
import { AT, endChoices, NO_END } from "./end-choices";
import { turnWords, type SwitchTarget } from "./switch-words";

export type SwitchKind = "on" | "off" | "emergency";

type Props = {
  kind: SwitchKind;
  target: SwitchTarget;
  /** Of a toggle of many, whose answer names those that failed. */
  area_id?: string;
  /** The emergency that an OFF or another emergency would end: 'On until 8:00 PM: crowd (joel)'. */
  emergency: string | null;
  now: number;
  onClose: () => void;
  onDone: () => void;
};

/** A toggle that ends by itself, or for many lights: it says what it concerns before it does it. */
export default function SwitchDialog({ kind: first, target, area_id, emergency, now, ...closing }: Props) {
  const mayDeclare = useCan("emergency.declare");
  const chosen = useInitialValue()("action", first);
  const [kind, setKind] = useState<SwitchKind>(first === "emergency" ? first : kindOf(chosen));
  const action = kind === "emergency" ? "on" : kind;
  const go = kind === "emergency" ? "Lights on now" : turnWords(action, target);
  return (
    <FormShell
      title={TITLES[kind](target)}
      description={kind === "emergency" ? EMERGENCY : target.isMany ? `All of ${target.name}` : ENDS}
      intent="switch"
      record={{ id: target.value }}
      go={go}
      going="Switching..."
      {...closing}
      isBrief
      names={["until", "reason"]}
    >
      {(errors) => (
        <>
          {area_id !== undefined && <input type="hidden" name="area_id" value={area_id} />}
          {target.isMany || first === "emergency" ? (
            <input type="hidden" name="action" value={kind} />
          ) : (
            <FieldScope name="action">
              <Field label="Light">
                <Select value={kind} onChange={(event) => setKind(kindOf(event.currentTarget.value))}>
                  <option value="off">Off</option>
                  <option value="on">On</option>
                </Select>
              </Field>
            </FieldScope>
          )}
          {kind !== "on" && emergency !== null && <Note>{`${emergency}. ${REPLACES[kind]}`}</Note>}
          <EndFields
            key={kind}
            kind={kind}
            // A plain OFF that only asks first is as plain as any: an hour later it would let the booking light it again.
            isPlain={target.isMany || (kind === "off" && emergency !== null)}
            error={errors.until}
            now={now}
          />
          <FieldScope name="reason" error={errors.reason}>
            <Field label="Reason" hint={kind === "emergency" ? "Required" : "Shown beside the light, such as 'rain'"}>
              <TextInput maxLength={MAX_TITLE} autoComplete="off" />
            </Field>
          </FieldScope>
          {!mayDeclare && kind === "emergency" && <Note>Admins and managers declare emergencies.</Note>}
        </>
      )}
    </FormShell>
  );
}

type EndProps = { kind: SwitchKind; isPlain: boolean; error: string | undefined; now: number };

/** When it ends. An emergency always does; another toggle may, and a plain one does, last until somebody or the schedule changes it. */
function EndFields({ kind, isPlain, error, now }: EndProps) {
  const zone = useFormZone("until_zone");
  const initial = useInitialValue();
  const noScript = useNoScript();
  // Those of a later moment would lack a morning that is over: the select would fall back to no end, and say so to nobody.
  const [opened] = useState(now);
  const choices = endChoices(opened, zone, kind === "emergency", now);
  const [end, setEnd] = useState(initial("end", kind === "emergency" ? "120" : isPlain ? NO_END : "60"));
  const isTyped = end === AT || noScript;
  return (
    <>
      <FieldScope name="end" error={isTyped ? undefined : error}>
        <Field label="For how long">
          <Select value={end} onChange={(event) => setEnd(event.currentTarget.value)}>
            {kind !== "emergency" && <option value={NO_END}>{NO_END_WORDS[kind]}</option>}
            {choices.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
      </FieldScope>
      {isTyped && (
        <FieldScope name="until" error={error}>
          <MomentField label="Until" at={null} />
        </FieldScope>
      )}
    </>
  );
}

const NO_END_WORDS = { on: "Until it goes off by itself", off: "Until the next booking" };
const ENDS = "It ends by itself; then the schedule says again what it does";
const EMERGENCY = "Lights on whatever is booked, closed or dark by rule, until it ends";

/** What it does to an emergency in force. */
const REPLACES = { off: "Turning off ends this emergency.", emergency: "A new emergency takes its place." };

const TITLES: Record<SwitchKind, (target: SwitchTarget) => string> = {
  on: (target) => turnWords("on", target),
  off: (target) => turnWords("off", target),
  emergency: ({ isMany, lights, name }) => `Emergency: ${isMany ? counted(lights, "light") : name}`,
};

function kindOf(value: string): SwitchKind {
  return value === "on" ? "on" : "off";
}
