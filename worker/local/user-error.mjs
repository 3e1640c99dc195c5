/** An error that the user can fix; its message is printed without a stack. */
export class UserError extends Error {}
