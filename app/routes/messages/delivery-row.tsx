import type { ReactElement } from "react";
import { Check, CircleX, Clock } from "#app/ui/icons";
import { useOrganization } from "#app/components/organization";
import { HiddenFields } from "#app/forms/hidden-fields";
import { useAnswer } from "#app/forms/use-answer";
import { Badge, type Tone } from "#app/ui/badge";
import { Button } from "#app/ui/button";
import { formatDated, formatInstant } from "#domain/time/display";
import type { DeliveryStatus, WebhookType } from "#domain/enums";
import type { WebhookDelivery } from "#domain/messages/webhook-records";

/** A message to a webhook and what became of it, with a button that sends it again. */
export function DeliveryRow({ delivery }: { delivery: WebhookDelivery }) {
  const { zone, loaded_at } = useOrganization();
  const { fetcher, pending } = useAnswer({ key: `again ${delivery.id}` });
  const { id, created_at, webhook_name, type, subject, status, attempts, http_status, ms, answer, next_at } = delivery;
  const { tone, icon, label } = FATES[status];
  const facts = [
    http_status === null ? null : `answered ${http_status}`,
    ms === null ? null : `${ms} ms`,
    attempts > 1 ? `${attempts} tries` : null,
    next_at === null ? null : `next try ${formatInstant(next_at, zone)}`,
  ].filter(Boolean);
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-[1_1_18rem]">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <time dateTime={created_at} className="text-ink-soft text-sm">
            {formatDated(created_at, zone, loaded_at)}
          </time>
          <Badge tone={tone} icon={icon}>
            {label}
          </Badge>
        </div>
        <p className="break-words">
          {TYPES[type]}
          {type !== "test" && `: ${subject}`}{" "}
          <span className="text-ink-soft">to {webhook_name ?? "a deleted webhook"}</span>
        </p>
        {facts.length > 0 && <p className="text-ink-soft text-sm">{facts.join(", ")}</p>}
        {answer && <p className="text-ink-faint text-xs break-words">{answer}</p>}
      </div>
      {webhook_name !== null && (
        <fetcher.Form method="post">
          <HiddenFields intent="send_again" id={id} />
          <Button
            type="submit"
            size="sm"
            pending={pending}
            aria-label={`Send again: ${TYPES[type]} of ${formatDated(created_at, zone, loaded_at)}`}
          >
            Send again
          </Button>
        </fetcher.Form>
      )}
    </li>
  );
}

const FATES: Record<DeliveryStatus, { tone: Tone; label: string; icon: ReactElement }> = {
  pending: { tone: "brand", label: "waiting", icon: <Clock /> },
  delivered: { tone: "ok", label: "delivered", icon: <Check /> },
  failed: { tone: "bad", label: "given up", icon: <CircleX /> },
};

const TYPES: Record<WebhookType, string> = {
  "alarm.opened": "Alarm",
  "alarm.over": "Alarm over",
  test: "Test",
};
