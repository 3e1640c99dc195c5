/** A failure that a person can do something about: shown as it is, without a stack. */
export class UserError extends Error {}
