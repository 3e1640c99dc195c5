/** Stands in for Remix's server bundle where the screens are not under test, so that no build is needed. */
export const routes = {};
export const assets = { entry: { module: "", imports: [] }, routes: {}, url: "", version: "unbuilt" };
