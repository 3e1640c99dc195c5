/** What an organization has of the things that the first light needs before it goes on by itself. */
export type FirstSteps = { area: boolean; hub: boolean; device: boolean; schedule: boolean };
