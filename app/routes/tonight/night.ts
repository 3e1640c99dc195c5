import type { Attention } from "#domain/alarms/attention";
import type { Page } from "#domain/lists/list-query";
import type { NightArea, Tonight } from "#domain/tonight/tonight-records";

/**
 * What the screen shows: a night, of which the log tells from `known_from` on (epoch ms), a page of areas in it, and of the
 * night that runs what needs a person now.
 */
export type Night = Tonight & Page<NightArea> & { known_from: number; attention: Attention | null };
