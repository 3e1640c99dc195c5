import { Plus, Router } from "#app/ui/icons";
import { EmptyState } from "#app/components/empty-state";
import { PageHeader } from "#app/components/page-header";
import { NameLink, Trail } from "#app/components/page-links";
import type { Deferred } from "#app/router/deferred";
import { Streamed } from "#app/router/streamed";
import { opens } from "#app/router/view";
import type { AgentProgram } from "#domain/agent/program";
import type { Agent } from "#domain/records/records";
import { Button } from "#app/ui/button";
import { Card } from "#app/ui/card";
import { LoadingBlock } from "#app/ui/spinner";
import { AgentDialogs } from "./agent-dialogs";
import { AgentRow } from "./agent-row";
import { Program } from "./program";

type Props = { agents: Promise<Deferred<Agent[]>>; program: AgentProgram; origin: string; now: number };

export const HEADER = {
  title: "On-site Agents",
  text: "Small computers beside the hubs, which reach them on their private network",
};

/** The computers beside the hubs, through which a city reaches hubs on private networks. */
export function AgentList({ agents, program, origin, now }: Props) {
  return (
    <>
      <Trail>
        <NameLink to="/settings">Settings</NameLink>
      </Trail>
      <PageHeader {...HEADER}>
        <Button variant="primary" icon={<Plus className="size-4" />} {...opens("new")}>
          New Agent
        </Button>
      </PageHeader>
      <Streamed list={agents} loading={<LoadingBlock label="Loading agents..." />} failed="Failed to fetch agents">
        {(rows) => (
          <>
            <AgentRows agents={rows} newest={program.version} now={now} />
            <AgentDialogs agents={rows} />
          </>
        )}
      </Streamed>
      <Program program={program} origin={origin} />
    </>
  );
}

function AgentRows({ agents, newest, now }: { agents: Agent[]; newest: string; now: number }) {
  if (agents.length === 0) {
    return (
      <EmptyState icon={Router} title="No Agents Yet" text="A hub on a private network is reached by one beside it." />
    );
  }
  return (
    <Card className="overflow-hidden">
      <ul aria-label="Agents" className="divide-line divide-y">
        {agents.map((agent) => (
          <AgentRow key={agent.id} agent={agent} newest={newest} now={now} />
        ))}
      </ul>
    </Card>
  );
}
