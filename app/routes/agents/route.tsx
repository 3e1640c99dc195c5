import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";
import { AccessDenied } from "#app/components/access-denied";
import { Failure } from "#app/components/failure";
import { PageHeader } from "#app/components/page-header";
import { answer } from "#app/forms/form-answer";
import { catchNetworkError } from "#app/forms/catch-network-error";
import { deferred } from "#app/router/deferred";
import { isAnotherList } from "#app/router/view";
import { requireUser } from "#app/session/session";
import { can } from "#domain/organization/permissions";
import { agentHandlers } from "./agent-handlers";
import { AgentList, HEADER } from "./agent-list";

export const meta: MetaFunction = () => [{ title: "On-site Agents · Lamplighter" }];
export const shouldRevalidate = isAnotherList;

const FAILED = {
  create: "Failed to save agent",
  save: "Failed to save agent",
  rotate: "Failed to make a new secret",
  revoke: "Failed to revoke agent",
  remove: "Failed to delete agent",
};

export async function loader(args: LoaderFunctionArgs) {
  const { user, services } = await requireUser(args);
  if (!can(user, "agent.edit")) return null;
  const { agentProgram: program } = args.context;
  const { origin } = new URL(args.request.url);
  return { now: Date.now(), origin, program, agents: deferred(services.agents.list()) };
}

export async function action(args: ActionFunctionArgs) {
  const { user, services } = await requireUser(args);
  const form = await args.request.formData();
  return answer(user, form, agentHandlers(services, form), FAILED);
}

export const clientAction = (args: ClientActionFunctionArgs) => catchNetworkError(args, FAILED);

export default function Agents() {
  const loaded = useLoaderData<typeof loader>();
  if (loaded) return <AgentList {...loaded} />;
  return (
    <>
      <PageHeader {...HEADER} />
      <AccessDenied capability="agent.edit" />
    </>
  );
}

export const ErrorBoundary = () => <Failure screen="On-site Agents" text="Failed to fetch agents" />;
