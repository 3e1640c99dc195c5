/** Makes the folder of the state if need be; a UserError says why it cannot be used. */
export function requireStateFolder(state_dir: string): Promise<void>;
