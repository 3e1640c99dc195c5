import { useState } from "react";
import { FormShell } from "#app/forms/form-shell";
import type { FieldErrors } from "#domain/errors";
import { AREA_TYPES } from "#domain/enums";
import { BOUNDS } from "#domain/fields/limits";
import type { Policy } from "#domain/guardrails/limit-records";
import { Field, FieldScope, Select, TextInput } from "#app/ui/field";
import { useNoScript } from "#app/ui/no-script";
import { keyOf, nameOf, type Places } from "./places";
import { capitalized } from "#domain/capitalized";

/** Whether a level inherits a value, has none, or its own. */
const SAYS = { inherit: "Inherited", none: "None", own: "Its own" };
type Says = keyof typeof SAYS;

type Props = { policy: Policy | null; places: Places; onClose: () => void };

export function PolicyForm({ policy, places, onClose }: Props) {
  return (
    <FormShell
      title={policy ? "Edit Policy" : "Create Policy"}
      description={policy ? nameOf(policy) : "For all areas of a type, one area, or a group"}
      intent={policy ? "save_policy" : "create_policy"}
      record={policy && { id: keyOf(policy), version: policy.version }}
      go={policy ? "Save changes" : "Create Policy"}
      onClose={onClose}
      names={["place", "HARD_CURFEW_OFF", "BLACKOUT_WINDOW", "MAX_ON_DURATION_MIN"]}
    >
      {(errors) => (
        <>
          {!policy && (
            <FieldScope name="id" error={errors.place}>
              <PlaceSelect places={places} />
            </FieldScope>
          )}
          <DarkTime policy={policy} errors={errors} />
          <LongestOn policy={policy} errors={errors} />
        </>
      )}
    </FormShell>
  );
}

/** Those that have no policy yet. */
function PlaceSelect({ places }: { places: Places }) {
  // The first: one that has been chosen would go with its first policy, be it this form's own, whose answer was lost.
  const [{ policies, areas, groups }] = useState(places);
  const taken = new Set(policies.map(keyOf));
  const options = (scope: Policy["scope"], rows: { id: string; name: string }[]) =>
    rows.map(({ id, name }) => ({ id: keyOf({ scope, id }), name })).filter(({ id }) => !taken.has(id));
  const types = AREA_TYPES.map((type) => ({ id: type, name: capitalized(type) }));
  return (
    <Field label="For">
      <Select defaultValue="">
        <option value="">Select a type, an area or a group</option>
        {[
          ["Types", options("type", types)] as const,
          ["Areas", options("area", areas)] as const,
          ["Groups", options("group", groups)] as const,
        ].map(
          ([label, rows]) =>
            rows.length > 0 && (
              <optgroup key={label} label={label}>
                {rows.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </optgroup>
            ),
        )}
      </Select>
    </Field>
  );
}

type PartProps = Pick<Props, "policy"> & { errors: FieldErrors };

function DarkTime({ policy, errors }: PartProps) {
  const noScript = useNoScript();
  const [says, setSays] = useState<Says>(() => saysOf(policy && [policy.HARD_CURFEW_OFF, policy.BLACKOUT_WINDOW]));
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <SaysSelect name="dark" label="Dark time" says={says} onChange={setSays} />
      {(says === "own" || noScript) && (
        <>
          <FieldScope name="HARD_CURFEW_OFF" error={errors.HARD_CURFEW_OFF}>
            <Field label="Hard curfew" hint="HH:MM, or empty for none">
              <TextInput defaultValue={policy?.HARD_CURFEW_OFF ?? ""} placeholder="22:00" maxLength={5} />
            </Field>
          </FieldScope>
          <FieldScope name="BLACKOUT_WINDOW" error={errors.BLACKOUT_WINDOW}>
            <Field label="Blackout window" hint="HH:MM-HH:MM, or empty">
              <TextInput defaultValue={policy?.BLACKOUT_WINDOW ?? ""} placeholder="00:00-05:00" maxLength={11} />
            </Field>
          </FieldScope>
        </>
      )}
    </div>
  );
}

function LongestOn({ policy, errors }: PartProps) {
  const noScript = useNoScript();
  const stored = policy?.MAX_ON_DURATION_MIN ?? null;
  const [says, setSays] = useState<Says>(() => saysOf(stored === null ? null : [stored === 0 ? "" : String(stored)]));
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <SaysSelect name="longest" label="Longest time on" says={says} onChange={setSays} />
      {(says === "own" || noScript) && (
        <FieldScope name="MAX_ON_DURATION_MIN" error={errors.MAX_ON_DURATION_MIN}>
          <Field label="Max ON duration (minutes)" hint="A path from dusk to dawn needs 960">
            <TextInput type="number" min={1} max={BOUNDS.MAX_ON_DURATION_MIN.max} defaultValue={stored || ""} />
          </Field>
        </FieldScope>
      )}
    </div>
  );
}

type SaysProps = { name: string; label: string; says: Says; onChange: (says: Says) => void };

function SaysSelect({ name, label, says, onChange }: SaysProps) {
  return (
    <FieldScope name={name}>
      <Field label={label}>
        <Select
          value={says}
          onChange={(event) => onChange(SAYS_KEYS.find((key) => key === event.currentTarget.value) ?? "inherit")}
        >
          {SAYS_KEYS.map((key) => (
            <option key={key} value={key}>
              {SAYS[key]}
            </option>
          ))}
        </Select>
      </Field>
    </FieldScope>
  );
}

const SAYS_KEYS = ["inherit", "none", "own"] as const satisfies Says[];

function saysOf(values: (string | null)[] | null): Says {
  if (values === null || values.every((value) => value === null)) return "inherit";
  return values.every((value) => !value) ? "none" : "own";
}
