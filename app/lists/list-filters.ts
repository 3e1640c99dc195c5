import type { Filter } from "#app/lists/filter-panel";
import type { Choice } from "#domain/lists/list-query";
import { ORG_WIDE } from "#domain/enums";
import { capitalized } from "#domain/capitalized";

export function areaFilter(areas: Choice[]): Filter {
  return { name: "area", label: "Area", all: "All areas", areas };
}

export function deviceFilter(devices: Choice[]): Filter {
  return { name: "device", label: "Device", all: "All devices", choices: devices };
}

/** Of departments that could not be read (null) only whether there is one. */
export function deptFilter(departments: Choice[] | null): Filter {
  const none = { id: ORG_WIDE, name: "Org-wide" };
  return { name: "dept", label: "Department", all: "All departments", choices: [none, ...(departments ?? [])] };
}

/** A filter by a closed list, with a label for each value. */
export function wordFilter(name: string, label: string, all: string, names: Record<string, string>): Filter {
  return { name, label, all, choices: Object.entries(names).map(([id, word]) => ({ id, name: word })) };
}

/** The first order is the default and needs no query parameter. */
export function sortFilter(names: Record<string, string>): Filter {
  const [first = ["", ""], ...others] = Object.entries(names);
  return wordFilter("sort", "Sort by", first[1], Object.fromEntries(others));
}

/** 'in_progress' becomes 'In progress'. */
export function labelsOf(words: readonly string[]): Record<string, string> {
  return Object.fromEntries(words.map((word) => [word, capitalized(word.replaceAll("_", " "))]));
}
