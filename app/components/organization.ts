import { createContext, useContext } from "react";
import type { EveryChoice } from "#app/forms/choices";
import type { Department, User } from "#domain/records/records";
import type { ProviderMode, Timezone } from "#domain/enums";

/** The signed-in person, their organization, and the time zone in which every time on screen is shown. */
export type Organization = {
  user: User;
  /** Null if they could not be read. */
  departments: Department[] | null;
  zone: Timezone;
  mode: ProviderMode;
  /** Whether '/' opens the search. */
  search_key: boolean;
  /** By the server's clock (epoch ms). */
  loaded_at: number;
  /** How many alarms nobody has seen to when the page was loaded; null if that is not known. */
  open_alarms: number | null;
  /** The options of every select, for pages without script, which cannot fetch them later. */
  choices: EveryChoice | null;
  /** For such pages, too: what depends on the record that is about to be deleted. */
  dependents: string | null;
};

const OrganizationContext = createContext<Organization | null>(null);

export const OrganizationProvider = OrganizationContext.Provider;

/** Throws outside its provider. */
export function useOrganization(): Organization {
  const organization = useContext(OrganizationContext);
  if (!organization) throw new Error("useOrganization must be used within an OrganizationProvider");
  return organization;
}
