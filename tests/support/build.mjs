import { buildScreens } from "../../worker/local/build.mjs";

/** Once, before the browser's tests, so that no server start has to wait for it. */
export const setup = buildScreens;
