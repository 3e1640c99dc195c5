import { Plus } from "#app/ui/icons";
import type { Deferred } from "#app/router/deferred";
import { Streamed } from "#app/router/streamed";
import { opens } from "#app/router/view";
import { Section } from "#app/forms/settings-form";
import { Button } from "#app/ui/button";
import { LoadingBlock } from "#app/ui/spinner";
import type { Webhook, WebhookDelivery } from "#domain/messages/webhook-records";
import { DeliveryRow } from "./delivery-row";
import { WebhookDialogs } from "./webhook-dialogs";
import { WebhookRow } from "./webhook-row";

type Props = { webhooks: Promise<Deferred<Webhook[]>>; deliveries: Promise<Deferred<WebhookDelivery[]>> };

/** The addresses of other systems that are told of alarms, and what was sent to them. */
export function Webhooks({ webhooks, deliveries }: Props) {
  return (
    <>
      <Section
        title="Webhooks"
        text="Other systems that are told of each alarm"
        className="mt-4"
        aside={
          <Button icon={<Plus className="size-4" />} {...opens("new")}>
            New Webhook
          </Button>
        }
      >
        <Streamed
          list={webhooks}
          loading={<LoadingBlock label="Loading webhooks..." />}
          failed="Failed to fetch webhooks"
        >
          {(rows) => (
            <>
              {rows.length === 0 ? (
                <p className="text-ink-soft">No webhooks yet.</p>
              ) : (
                <ul aria-label="Webhooks" className="divide-line -my-3 divide-y">
                  {rows.map((webhook) => (
                    <WebhookRow key={webhook.id} webhook={webhook} />
                  ))}
                </ul>
              )}
              <WebhookDialogs webhooks={rows} />
            </>
          )}
        </Streamed>
      </Section>
      <Section title="Latest Deliveries" text="What became of the last messages to webhooks" className="mt-4">
        <Streamed
          list={deliveries}
          loading={<LoadingBlock label="Loading deliveries..." />}
          failed="Failed to fetch deliveries"
        >
          {(rows) =>
            rows.length === 0 ? (
              <p className="text-ink-soft">Nothing was sent in the last 30 days.</p>
            ) : (
              <ul aria-label="Deliveries" className="divide-line -my-3 divide-y">
                {rows.map((delivery) => (
                  <DeliveryRow key={delivery.id} delivery={delivery} />
                ))}
              </ul>
            )
          }
        </Streamed>
      </Section>
    </>
  );
}
