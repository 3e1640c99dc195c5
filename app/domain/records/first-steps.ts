/** Which of the records that the first scheduled light needs already exist. */
export type FirstSteps = { area: boolean; hub: boolean; device: boolean; schedule: boolean };
