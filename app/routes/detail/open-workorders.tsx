import { ClipboardList, ClipboardPlus } from "#app/ui/icons";
import { ButtonLink } from "#app/components/button-link";
import { Nothing, Section } from "#app/routes/detail/section";
import { NameLink } from "#app/components/page-links";
import { PriorityBadge, StatusBadge } from "#app/routes/workorders/badges";
import type { Workorder } from "#domain/records/records";

type Props = {
  workorders: Workorder[];
  /** The links to the full list and to a new work order for this place. */
  all: string;
  add: string;
};

/** The work orders that are open or in progress, most urgent first. */
export function OpenWorkorders({ workorders, all, add }: Props) {
  return (
    <Section icon={ClipboardList} title="Open work orders" more={{ to: all, label: "All work orders" }}>
      {workorders.length === 0 ? (
        <Nothing>No open work orders.</Nothing>
      ) : (
        <ul className="divide-line divide-y">
          {workorders.map(({ id, title, status, priority }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 px-4 py-2.5">
              <NameLink
                to={`/workorders?${new URLSearchParams({ q: title, edit: id })}`}
                className="min-w-0 font-medium"
              >
                {title}
              </NameLink>
              <span className="flex gap-1.5">
                <StatusBadge status={status} />
                <PriorityBadge priority={priority} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className="border-line border-t px-4 py-3">
        <ButtonLink to={add} icon={<ClipboardPlus className="size-4" />}>
          New work order
        </ButtonLink>
      </div>
    </Section>
  );
}
