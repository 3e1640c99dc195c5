/** The CHANGELOG's section of the release that `tag` names. Throws a sentence where there is none. */
export function releaseNotes(tag: string, version: string, changelog: string): string;
