import { BellOff, Check, CircleX, Clock } from "#app/ui/icons";
import type { ReactElement } from "react";
import { EmptyState } from "#app/components/empty-state";
import { useOrganization } from "#app/components/organization";
import { Streamed } from "#app/router/streamed";
import type { Deferred } from "#app/router/deferred";
import { formatDated } from "#domain/time/display";
import type { Notification } from "#domain/records/records";
import { Badge, type Tone } from "#app/ui/badge";
import { Card } from "#app/ui/card";
import { LoadingBlock } from "#app/ui/spinner";

/** The latest notifications, and whether each was sent. */
export function Notifications({ notifications }: { notifications: Promise<Deferred<Notification[]>> }) {
  return (
    <section aria-labelledby="notifications" className="mt-4">
      <h2 id="notifications" className="mb-2 font-semibold">
        Latest notifications
      </h2>
      <Streamed
        list={notifications}
        loading={<LoadingBlock label="Loading notifications..." />}
        failed="Failed to load notifications"
      >
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState
              icon={BellOff}
              title="No notifications yet"
              text="Nothing has failed that people had to be told of."
            />
          ) : (
            <Card>
              <ul className="divide-line divide-y">
                {rows.map((notification) => (
                  <Row key={notification.id} notification={notification} />
                ))}
              </ul>
            </Card>
          )
        }
      </Streamed>
    </section>
  );
}

function Row({ notification }: { notification: Notification }) {
  const { zone, loaded_at } = useOrganization();
  const { created_at, message, recipients, status, detail } = notification;
  const { tone, label, icon } = FATES[status];
  return (
    <li className="flex flex-col gap-1 px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <time dateTime={created_at} className="text-ink-soft text-xs">
          {formatDated(created_at, zone, loaded_at)}
        </time>
        <Badge tone={tone} icon={icon}>
          {detail ?? label}
        </Badge>
      </div>
      <p>{message}</p>
      <p className="text-ink-faint text-xs">{recipients.length > 0 ? `To ${recipients.join(", ")}` : "To nobody"}</p>
    </li>
  );
}

const FATES: Record<Notification["status"], { tone: Tone; label: string; icon: ReactElement }> = {
  pending: { tone: "brand", label: "being sent", icon: <Clock /> },
  sent: { tone: "ok", label: "sent", icon: <Check /> },
  not_sent: { tone: "warn", label: "not sent", icon: <BellOff /> },
  failed: { tone: "bad", label: "failed", icon: <CircleX /> },
};
