/** Makes a folder and those above it, and ends with the system's reason where it cannot. */
export function makeFolder(path: string, mode?: number): Promise<void>;
