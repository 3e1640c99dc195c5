import type { ReactElement } from "react";
import { Link } from "@remix-run/react";
import { Ban, CircleDashed, KeyRound, Pencil, Trash2, Wifi, WifiOff } from "#app/ui/icons";
import { useOrganization } from "#app/components/organization";
import { opens } from "#app/router/view";
import { agentSentence, agentStanding, refusedPlanSentence, type AgentStanding } from "#domain/hubs/agent-words";
import { formatDated } from "#domain/time/display";
import type { Agent } from "#domain/records/records";
import { Badge, type Tone } from "#app/ui/badge";
import { Button } from "#app/ui/button";

const STANDINGS: Record<AgentStanding, { tone: Tone; label: string; icon: ReactElement }> = {
  never: { tone: "dashed", label: "Not installed", icon: <CircleDashed /> },
  online: { tone: "ok", label: "Online", icon: <Wifi /> },
  offline: { tone: "bad", label: "Offline", icon: <WifiOff /> },
  revoked: { tone: "neutral", label: "Revoked", icon: <Ban /> },
};

/** An agent: how it stands, since when, which hubs it reaches, and by the end of which secret. */
export function AgentRow({ agent, newest, now }: { agent: Agent; newest: string; now: number }) {
  const { zone } = useOrganization();
  const { tone, label, icon } = STANDINGS[agentStanding(agent)];
  const { agent_version, hint, issued_at } = agent;
  const refused = refusedPlanSentence(agent);
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-[1_1_18rem]">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <h2 className="min-w-0 font-semibold break-words">{agent.name}</h2>
          <Badge tone={tone} icon={icon}>
            {label}
          </Badge>
        </div>
        <p>{agentSentence(agent, zone, now)}</p>
        {refused !== null && <p className="text-bad-text">{refused}</p>}
        <p className="text-ink-soft">
          <Hubs agent={agent} />
        </p>
        <p className="text-ink-soft text-sm">
          {versionWords(agent_version, newest)}Secret ending in <code>{hint}</code>, made{" "}
          {formatDated(issued_at, zone, now)}
        </p>
      </div>
      <AgentActions agent={agent} />
    </li>
  );
}

/** 'Version 1.0.0 (1.1.0 is there). ' */
function versionWords(version: string | null, newest: string): string {
  if (version === null) return "";
  return `Version ${version}${version === newest ? "" : ` (${newest} is there)`}. `;
}

function Hubs({ agent: { hubs } }: { agent: Agent }) {
  if (hubs.length > 0) return <>Hubs: {hubs.map(({ name }) => name).join(", ")}</>;
  return (
    <>
      No hub yet: choose it as the agent of one under{" "}
      <Link to="/hubs" prefetch="intent" className="text-brand-text font-medium underline">
        Hubs
      </Link>
    </>
  );
}

function AgentActions({ agent: { id, name, revoked_at } }: { agent: Agent }) {
  return (
    <div className="-mr-1.5 flex flex-wrap items-center gap-1">
      <Button size="sm" icon={<KeyRound />} aria-label={`New secret for ${name}`} {...opens("reset", id)}>
        New secret
      </Button>
      {revoked_at === null && (
        <Button size="sm" icon={<Ban />} aria-label={`Revoke ${name}`} {...opens("remove", id)}>
          Revoke
        </Button>
      )}
      <Button variant="ghost" size="icon" aria-label={`Rename ${name}`} icon={<Pencil />} {...opens("edit", id)} />
      <Button variant="ghost" size="icon" aria-label={`Delete ${name}`} icon={<Trash2 />} {...opens("delete", id)} />
    </div>
  );
}
