import type { ReactElement } from "react";
import { Ban, CircleCheck, CircleDashed, KeyRound, Pencil, Trash2, TriangleAlert } from "#app/ui/icons";
import { useOrganization } from "#app/components/organization";
import { HiddenFields } from "#app/forms/hidden-fields";
import { useAnswer } from "#app/forms/use-answer";
import { opens } from "#app/router/view";
import { Badge, type Tone } from "#app/ui/badge";
import { Button } from "#app/ui/button";
import { formatDated } from "#domain/time/display";
import type { Webhook } from "#domain/messages/webhook-records";

/** A webhook: where it is, how it does, and by the end of which secret. */
export function WebhookRow({ webhook }: { webhook: Webhook }) {
  const { zone, loaded_at } = useOrganization();
  const { tone, label, icon } = STANDINGS[standingOf(webhook)];
  const { name, url, hint, issued_at, last_at, waiting } = webhook;
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-[1_1_18rem]">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <h3 className="min-w-0 font-semibold break-words">{name}</h3>
          <Badge tone={tone} icon={icon}>
            {label}
          </Badge>
        </div>
        <p className="break-all">{url}</p>
        <p className="text-ink-soft text-sm">
          {last_at && `Last sent ${formatDated(last_at, zone, loaded_at)}. `}
          {waiting > 0 && `${waiting} waiting for another try. `}
          Secret ending in <code>{hint}</code>, made {formatDated(issued_at, zone, loaded_at)}
        </p>
      </div>
      <Actions webhook={webhook} />
    </li>
  );
}

type Standing = "off" | "new" | "ok" | "failing";

function standingOf({ active, last_status }: Webhook): Standing {
  if (!active) return "off";
  if (last_status === null) return "new";
  return last_status === "delivered" ? "ok" : "failing";
}

const STANDINGS: Record<Standing, { tone: Tone; label: string; icon: ReactElement }> = {
  off: { tone: "neutral", label: "Off", icon: <Ban /> },
  new: { tone: "dashed", label: "Nothing sent yet", icon: <CircleDashed /> },
  ok: { tone: "ok", label: "Delivered", icon: <CircleCheck /> },
  failing: { tone: "bad", label: "Failing", icon: <TriangleAlert /> },
};

function Actions({ webhook: { id, name, active } }: { webhook: Webhook }) {
  const { fetcher, pending } = useAnswer({ key: `test ${id}` });
  return (
    <div className="-mr-1.5 flex flex-wrap items-center gap-1">
      {active && (
        <fetcher.Form method="post">
          <HiddenFields intent="test_webhook" id={id} />
          <Button type="submit" size="sm" pending={pending} aria-label={`Send a test to ${name}`}>
            Test
          </Button>
        </fetcher.Form>
      )}
      <Button size="sm" icon={<KeyRound />} aria-label={`New secret for ${name}`} {...opens("reset", id)}>
        New secret
      </Button>
      <Button variant="ghost" size="icon" aria-label={`Edit ${name}`} icon={<Pencil />} {...opens("edit", id)} />
      <Button variant="ghost" size="icon" aria-label={`Delete ${name}`} icon={<Trash2 />} {...opens("delete", id)} />
    </div>
  );
}
