import { DurableObject } from "cloudflare:workers";

export class OrgScheduler extends DurableObject<Env> {}
