export { OrgScheduler } from "#durable/org-scheduler";
export default { fetch: () => new Response("ok") } satisfies ExportedHandler<Env>;
