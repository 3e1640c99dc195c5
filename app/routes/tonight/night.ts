import type { Page } from "#domain/list-query";
import type { NightArea, Tonight } from "#domain/tonight-records";

/** What the screen shows: a night, and a page of areas in it. */
export type Night = Tonight & Page<NightArea>;
