/** Creates missing local secrets and keeps existing ones; the names of the created ones. */
export function makeSecrets(file?: string): Promise<string[]>;
