import { z } from "zod";
import { requiredId } from "#domain/fields/fields";

/** Which permits or closures an API call wants: what is in force or to come, or with `past` what is over. */
export const limitQuery = z.object({
  area_id: requiredId("Area must be an id").optional(),
  past: z.enum(["true", "false"], "Past must be true or false").optional(),
});
