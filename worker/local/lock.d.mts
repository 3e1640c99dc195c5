/** Runs `work` while no other process on this machine works under the same name; waits for its turn. */
export function withLock<T>(name: string, work: () => Promise<T>): Promise<T>;
/** Answers the function that lets go, or null while another process holds the name. */
export function tryLock(name: string): Promise<(() => void) | null>;
/** The same for a folder, which is made if need be; by a link it is the same folder. */
export function tryLockFolder(path: string): Promise<(() => void) | null>;
