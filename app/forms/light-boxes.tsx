import { useState } from "react";
import type { Choice } from "#domain/lists/list-query";
import { useFieldScope, useTypedValues } from "#app/ui/field";
import { useNoScript } from "#app/ui/no-script";

type Props = {
  /** Undefined while they load, null if loading failed. */
  lights: Choice[] | null | undefined;
  chosen: string[];
  /** All are ticked, whatever was before; `onPart` is called when one is left out. */
  isAll?: boolean;
  onPart?: () => void;
};

/** Lights to tick, as boxes of one name. */
export function LightBoxes({ lights, chosen, isAll = false, onPart }: Props) {
  const { name, error } = useFieldScope();
  const noScript = useNoScript();
  const typed = useTypedValues()?.[name]?.split(",");
  const [some, setSome] = useState(() => new Set(typed ?? chosen));
  const ticked = isAll ? new Set(lights?.map(({ id }) => id)) : some;

  function tick(id: string, isTicked: boolean) {
    const next = new Set(ticked);
    if (isTicked) next.add(id);
    else next.delete(id);
    setSome(next);
    if (isAll) onPart?.();
  }

  return (
    <fieldset>
      <legend className="text-ink-soft mb-1.5 flex w-full justify-between text-sm font-medium">
        Lights
        {lights && !noScript && (
          <span className="text-ink-faint font-normal" role="status">
            {lights.filter(({ id }) => ticked.has(id)).length} of {lights.length}
          </span>
        )}
      </legend>
      {!lights && <p className="text-ink-soft">{lights === null ? "Not available" : "Loading..."}</p>}
      {lights?.length === 0 && <p className="text-ink-soft">No lights here yet.</p>}
      {lights && lights.length > 0 && (
        <ul className="border-line grid max-h-60 grid-cols-1 overflow-y-auto rounded-md border px-3 py-1 sm:grid-cols-3">
          {lights.map(({ id, name: light }) => (
            <li key={id}>
              <label className="flex min-h-11 items-center gap-2 sm:min-h-8">
                <input
                  type="checkbox"
                  name={name}
                  value={id}
                  checked={ticked.has(id)}
                  onChange={(event) => tick(id, event.currentTarget.checked)}
                  aria-invalid={error !== undefined || undefined}
                  className="accent-brand size-5 shrink-0"
                />
                <span className="min-w-0">{light}</span>
              </label>
            </li>
          ))}
        </ul>
      )}
      {error && (
        <p role="alert" className="text-bad-text mt-1.5 text-xs font-medium">
          {error}
        </p>
      )}
    </fieldset>
  );
}
