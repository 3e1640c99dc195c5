import { useNavigate } from "@remix-run/react";
import { useEffect, type FocusEvent, type KeyboardEvent, type RefObject } from "react";

const CELL = "[data-cell]";
const ROW = "[data-row]";

/**
 * One tab stop for a chart of rows: arrows lead to its rows and bars. Up and Down keep the place on the axis; on an area's
 * row Right opens and Left folds it. Home and End are a row's ends, N is the bar of now, [ and ] the neighbouring nights.
 */
export function useRoving(chart: RefObject<HTMLElement | null>) {
  const navigate = useNavigate();

  // Bars come and go with the data; one of them is always the tab stop.
  useEffect(() => {
    const cells = cellsOf(chart.current);
    if (!cells.some((cell) => cell.tabIndex === 0)) cells[0]?.setAttribute("tabindex", "0");
  });

  function onFocus({ target }: FocusEvent) {
    if (!target.matches(CELL)) return;
    for (const cell of cellsOf(chart.current)) if (cell.tabIndex === 0) cell.setAttribute("tabindex", "-1");
    target.setAttribute("tabindex", "0");
  }

  function onKeyDown(event: KeyboardEvent) {
    const cell = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>(CELL) : null;
    if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
    const night = NIGHTS[event.key];
    if (night !== undefined) {
      const link = document.querySelector(`a[data-night="${night}"]`);
      if (link) void navigate(link.getAttribute("href") ?? "");
      return;
    }
    if (turnsArea(cell, event.key)) {
      event.preventDefault();
      cell.click();
      return;
    }
    const next = nextCell(chart.current, cell, event.key);
    if (!next) return;
    event.preventDefault();
    next.focus();
    next.scrollIntoView({ block: "nearest" });
  }

  return { onFocus, onKeyDown };
}

const NIGHTS: Record<string, string> = { "[": "previous", "]": "next" };

function turnsArea(cell: HTMLElement, key: string): boolean {
  if (!cell.hasAttribute("data-area")) return false;
  const isOpen = cell.getAttribute("aria-expanded") === "true";
  return (key === "ArrowRight" && !isOpen) || (key === "ArrowLeft" && isOpen);
}

function nextCell(chart: HTMLElement | null, cell: HTMLElement, key: string): HTMLElement | undefined {
  const row = cell.closest<HTMLElement>(ROW);
  const cells = cellsOf(row);
  const at = cells.indexOf(cell);
  if (key === "ArrowRight") return cells[at + 1];
  if (key === "ArrowLeft") return cells[at - 1];
  if (key === "Home") return cells[0];
  if (key === "End") return cells.at(-1);
  if (key === "n" || key === "N") return cells.find((each) => each.hasAttribute("data-now")) ?? cells.at(-1);
  if (key !== "ArrowDown" && key !== "ArrowUp") return undefined;
  const rows = [...(chart?.querySelectorAll<HTMLElement>(ROW) ?? [])];
  const other = rows[rows.findIndex((each) => each === row) + (key === "ArrowDown" ? 1 : -1)];
  return nearest(cellsOf(other ?? null), cell);
}

function nearest(cells: HTMLElement[], cell: HTMLElement): HTMLElement | undefined {
  const { left } = cell.getBoundingClientRect();
  const away = (each: HTMLElement) => Math.abs(each.getBoundingClientRect().left - left);
  return cells.toSorted((a, b) => away(a) - away(b))[0];
}

function cellsOf(within: HTMLElement | null): HTMLElement[] {
  return within ? [...within.querySelectorAll<HTMLElement>(CELL)] : [];
}
