import type { EveryChoice, PlacedChoice } from "#app/forms/choices";
import { logFailure } from "#app/router/log-failure";
import type { Dialog } from "#app/router/view";
import { isNoScript } from "#app/no-script/no-script";
import type { SignedIn } from "#worker/context";

type Lists = SignedIn["services"];

/** The dialogs whose form chooses among other records. */
const CHOOSING: readonly Dialog[] = ["new", "copy", "edit", "add", "assign"];

/**
 * For a page without script, every option a form can need; null if no form is open. With them the question whether a light
 * is to go off is a megabyte in a city of ten thousand.
 */
export async function choicesOfPage(services: Lists, request: Request) {
  const { searchParams } = new URL(request.url);
  return isNoScript(request) && CHOOSING.some((name) => searchParams.has(name)) ? everyChoice(services) : null;
}

/** A form without one of the first five would save over what it does not offer: the failure of such a list is that of all. */
async function everyChoice(services: Lists): Promise<EveryChoice> {
  const [agents, calendars, hubs, groups, devices, others] = await Promise.all([
    services.agents.choices(),
    services.calendars.list(),
    services.hubs.list(),
    services.groups.list(),
    services.devices.list(),
    areasAndPeople(services),
  ]);
  return {
    ...others,
    agents,
    hubs: hubs.map(placed),
    calendars: calendars.map(({ id, name }) => ({ id, name })),
    groups: groups.map(placed),
    devices: devices.map(placed),
    isNarrowed: false,
  };
}

/** A list that fails is only logged; the form opens anyway: it keeps the person that it has, and asks for an area. */
export async function areasAndPeople(services: Pick<Lists, "areas" | "users">) {
  const [areas, people] = await Promise.all([
    services.areas.list().catch(missing),
    services.users.list().catch(missing),
  ]);
  return {
    areas: areas.map(({ id, name }) => ({ id, name })),
    people: people.filter(isActive).map(({ id, email }) => ({ id, name: email })),
  };
}

function placed({ id, name, area_id, area_name }: PlacedChoice): PlacedChoice {
  return { id, name, area_id, area_name };
}

function missing(caught: unknown): [] {
  logFailure(caught);
  return [];
}

/** Only an admin's list contains people who are deactivated, or have yet to accept their invitation. */
function isActive(person: { id: string } | { active: boolean; pending: boolean }) {
  return !("active" in person) || (person.active && !person.pending);
}
