import { version } from "../../package.json";

/** The product's version; package.json is the one place that says it. */
export const VERSION = version;
