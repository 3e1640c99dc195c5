import type { Choosing } from "#app/selection/use-selection";

/** Replaces a row's own actions while selecting. Nothing for a row that cannot be selected. */
export function SelectBox({ id, name, selection }: { id: string; name: string; selection: Choosing }) {
  const { checked, toggle } = selection.of(id);
  if (!selection.mayChoose(id)) return null;
  return (
    <label className="-m-2 flex size-11 shrink-0 cursor-pointer items-center justify-center">
      <input
        type="checkbox"
        aria-label={`Select ${name}`}
        checked={checked}
        onChange={toggle}
        className="accent-brand size-5 cursor-pointer"
      />
    </label>
  );
}
