import { useNavigate } from "@remix-run/react";
import { CalendarClock, CornerDownLeft, Lightbulb, MapPinned, Router, Search, type IconComponent } from "#app/ui/icons";
import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type MouseEvent } from "react";
import { useOrganization } from "#app/components/organization";
import type { Hit, HitKind } from "#domain/records/hit";
import { areaHref, deviceHref } from "#app/components/page-links";
import { classes } from "#app/ui/classes";
import { screensOf } from "./screens";
import { useFound } from "./use-found";

type Option = { key: string; to: string; name: string; detail: string; icon: IconComponent };

/** Areas and devices have pages; for the others the link opens the list filtered by name and area. */
const KINDS: Record<HitKind, { to: (hit: Hit) => string; label: string; icon: IconComponent }> = {
  area: { to: ({ id }) => areaHref(id), label: "Area", icon: MapPinned },
  hub: { to: (hit) => `/hubs?${searchFor(hit)}`, label: "Hub", icon: Router },
  device: { to: ({ id }) => deviceHref(id), label: "Device", icon: Lightbulb },
  schedule: { to: (hit) => `/schedules?${searchFor(hit)}`, label: "Schedule", icon: CalendarClock },
};

/** Many areas have a hub or a schedule of the same name. A search has 200 characters at most. */
function searchFor({ name, place }: Hit): URLSearchParams {
  const whole = `${name} ${place}`;
  return new URLSearchParams({ q: whole.length <= 200 ? whole : name });
}

/**
 * Search for any screen, area, hub, device or schedule: a combobox in a native modal dialog, which traps the focus,
 * closes on Escape and returns the focus. `early` is what was typed before it came. The default export is for onDemand().
 */
export default function Palette({ early, onClose }: { early: string; onClose: () => void }) {
  const { user } = useOrganization();
  const navigate = useNavigate();
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useId();
  const [typed, setTyped] = useState(early);
  const [at, setAt] = useState(0);
  const { hits, state } = useFound(typed);
  const wanted = typed.trim().toLowerCase();
  const screens = screensOf(user).filter(({ label }) => label.toLowerCase().includes(wanted));
  const options = [...screens.map(screenOption), ...hits.map(hitOption)];
  const active = Math.min(at, options.length - 1);

  // Before the next key comes.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    dialog.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [active]);

  function choose(option: Option | undefined) {
    if (!option) return;
    dialog.current?.close();
    navigate(option.to);
  }

  function onKeyDown(event: KeyboardEvent) {
    // Enter and the arrows choose among the characters that an input method offers.
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") choose(options[active]);
    else if (event.key === "ArrowDown") setAt((active + 1) % Math.max(1, options.length));
    else if (event.key === "ArrowUp") setAt(active > 0 ? active - 1 : options.length - 1);
    else return;
    event.preventDefault();
  }

  function closeOnBackdrop(event: MouseEvent<HTMLDialogElement>) {
    if (event.target === event.currentTarget) event.currentTarget.close();
  }

  return (
    // Escape closes it without a pointer.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      aria-label="Search"
      onClose={onClose}
      onClick={closeOnBackdrop}
      className="bg-surface text-ink border-line animate-appear inset-x-0 top-[8dvh] m-0 mx-auto w-[36rem] max-w-[94vw] overflow-hidden rounded-xl border shadow-2xl backdrop:bg-[rgb(6_12_24/0.55)]"
    >
      <div className="border-line flex items-center gap-3 border-b px-4">
        <Search className="text-ink-faint size-4.5 shrink-0" />
        <input
          role="combobox"
          aria-label="Search areas, hubs, devices, schedules and screens"
          aria-expanded={options.length > 0}
          aria-controls={list}
          aria-activedescendant={options[active] && `${list}-${active}`}
          aria-autocomplete="list"
          placeholder="A name, or a screen"
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
          className="h-13 min-w-0 flex-1 bg-transparent text-base outline-none"
        />
      </div>
      <div id={list} role="listbox" aria-label="Found" className="max-h-[60dvh] overflow-y-auto p-1.5 empty:hidden">
        {options.map((option, index) => (
          <Row
            key={option.key}
            id={`${list}-${index}`}
            option={option}
            isActive={index === active}
            onPoint={() => setAt(index)}
            onChoose={() => choose(option)}
          />
        ))}
      </div>
      <p role="status" className="text-ink-soft px-4 py-3 empty:hidden">
        {state === "failed" && "The search failed. Check your connection; it is tried again."}
        {state === "asking" && options.length === 0 && "Searching..."}
        {state === "known" && options.length === 0 && `Nothing found for "${typed.trim()}"`}
      </p>
    </dialog>
  );
}

type RowProps = { id: string; option: Option; isActive: boolean; onPoint: () => void; onChoose: () => void };

function Row({ id, option: { name, detail, icon: Icon }, isActive, onPoint, onChoose }: RowProps) {
  return (
    // The combobox handles the keyboard.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      onClick={onChoose}
      onMouseMove={onPoint}
      className={classes(
        "flex min-h-11 cursor-pointer items-center gap-3 rounded-md px-3 py-1.5 sm:min-h-10",
        isActive && "bg-brand-soft text-brand-text",
      )}
    >
      <Icon className="size-4.5 shrink-0" />
      <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
      <span className={classes("max-w-[45%] truncate text-xs", isActive ? "text-brand-text" : "text-ink-faint")}>
        {detail}
      </span>
      {isActive && <CornerDownLeft className="size-3.5 shrink-0" />}
    </div>
  );
}

function screenOption({ to, label, icon }: ReturnType<typeof screensOf>[number]): Option {
  return { key: to, to, name: label, detail: "Screen", icon };
}

function hitOption(hit: Hit): Option {
  const { kind, id, name, place } = hit;
  const { to, label, icon } = KINDS[kind];
  return { key: `${kind} ${id}`, to: to(hit), name, detail: place ? `${label} · ${place}` : label, icon };
}
