/** The directory of package.json. */
export const ROOT: string;
/** Whether the file with this URL is the command that was run, directly or by a link, and not imported by another. */
export function isCommand(url: string): boolean;
/** Throws a UserError unless this is Node 20.19 or newer. */
export function requireNode(version?: string): void;
