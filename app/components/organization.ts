import { createContext, useContext } from "react";
import type { EveryChoice } from "#app/routes/choices/every-choice";
import type { Department, User } from "#domain/records";
import type { ProviderMode, Timezone } from "#domain/enums";

/** Who works here, where, and in which zone every time on screen is (decision 17). */
export type Organization = {
  user: User;
  departments: Department[];
  zone: Timezone;
  mode: ProviderMode;
  /** What forms choose from where no script asks for it. */
  choices: EveryChoice | null;
};

const OrganizationContext = createContext<Organization | null>(null);

export const OrganizationProvider = OrganizationContext.Provider;

/** Spec 8: outside its provider it is an error. */
export function useOrganization(): Organization {
  const organization = useContext(OrganizationContext);
  if (!organization) throw new Error("useOrganization must be used within an OrganizationProvider");
  return organization;
}
