import { Link, useSearchParams } from "@remix-run/react";
import { hubHref, NameLink } from "#app/components/page-links";
import { viewOf } from "#app/router/view";
import { Card } from "#app/ui/card";
import { counted } from "#domain/counted";
import type { SilentHub } from "#domain/alarms/alarm-records";

/** A silent hub that people are not told of yet, or that somebody has seen, while alarms of its lights are in the list. */
export function SilentHubRow({ hub }: { hub: SilentHub }) {
  return (
    <li>
      <Card aria-label={`${hub.name}: ${hub.message}`} className="px-4 py-3">
        <h2 className="min-w-0 font-semibold break-words">
          <NameLink to={hubHref(hub.name)}>{hub.name}</NameLink>
        </h2>
        <p className="text-bad-text">{hub.message}</p>
        <BehindLink hub={hub} />
      </Card>
    </li>
  );
}

/** 'and 57 alarms of lights behind it', which leads to them. */
export function BehindLink({ hub: { id, alarms } }: { hub: SilentHub }) {
  const view = viewOf(useSearchParams()[0]);
  view.delete("page");
  view.set("hub", id);
  return (
    <p>
      <Link to={`?${view}`} className="text-brand-text inline-block py-1 font-medium hover:underline max-sm:py-2.5">
        and {counted(alarms, "alarm")} of lights behind it
      </Link>
    </p>
  );
}
