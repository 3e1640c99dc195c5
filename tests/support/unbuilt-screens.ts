/** Replaces Remix's server bundle in tests without screens, so that they need no build. */
export const routes = {};
export const assets = { entry: { module: "", imports: [] }, routes: {}, url: "", version: "unbuilt" };
