/** Makes the tables and the demo city in `wrangler dev`'s state, once. Throws where another copy is using it. */
export function prepareForWranglerDev(state_dir?: string): Promise<void>;
