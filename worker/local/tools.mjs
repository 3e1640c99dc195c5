import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** wrangler's and Miniflare's own functions. `import` would first read their megabytes for the names that they export. */
export const wrangler = () => require("wrangler");
export const miniflare = () => require("miniflare");
