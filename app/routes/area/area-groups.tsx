import { Pencil, Plus, Trash2, Users } from "#app/ui/icons";
import { ButtonLink } from "#app/components/button-link";
import { bookHref } from "#app/components/page-links";
import { useCan } from "#app/components/capability";
import { useOrganization } from "#app/components/organization";
import { opens } from "#app/router/view";
import { Nothing, Section } from "#app/routes/detail/section";
import { targetValue } from "#app/forms/target-value";
import type { AreaDetail } from "#domain/records/detail-records";
import type { Group, MayWrite } from "#domain/records/records";
import { Button } from "#app/ui/button";
import { groupWords, noGroupWords, whyNoneGoesOn, whyNoneIsSwitched, type Around } from "./around";

/** `hidden`: how many lights of the area the person does not see. */
type Props = { groups: Around["groups"]; devices: AreaDetail["devices"]; hidden: number };

/** The area's groups, each with its switches. */
export function AreaGroups({ groups, devices, hidden }: Props) {
  const maySave = useCan("group.save");
  return (
    <Section icon={Users} title="Groups">
      {groups.length === 0 ? (
        <Nothing>{noGroupWords(hidden)}</Nothing>
      ) : (
        <ul className="divide-line divide-y">
          {groups.map((group) => (
            <GroupRow key={group.id} group={group} lights={devices.filter(({ id }) => group.device_ids.includes(id))} />
          ))}
        </ul>
      )}
      {maySave && (
        <div className="border-line border-t px-4 py-3">
          <Button icon={<Plus className="size-4" />} {...opens("add")}>
            New group
          </Button>
        </div>
      )}
    </Section>
  );
}

function GroupRow({ group, lights }: { group: Group & MayWrite; lights: Props["devices"] }) {
  const { user } = useOrganization();
  const { name, area_id, device_ids } = group;
  const why = whyNoneIsSwitched(user, lights, device_ids.length);
  const noneGoesOn = whyNoneGoesOn(lights, device_ids.length);
  const mayPlan = useCan("schedule.save") && group.may_write;
  const maySave = useCan("group.save") && group.may_write;
  const mayDelete = useCan("group.delete") && group.may_write;
  const value = targetValue({ type: "group", id: group.id });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2.5">
      <div className="min-w-0 flex-[1_1_8rem]">
        <h3 className="font-medium">{name}</h3>
        <p className="text-ink-soft text-sm">{groupWords(lights, device_ids.length)}</p>
      </div>
      <div className="flex flex-wrap items-center gap-1.5">
        {mayPlan && (
          <ButtonLink to={bookHref(area_id, value)} aria-label={`Book ${name}`} className="px-3 sm:h-8">
            Book…
          </ButtonLink>
        )}
        <Button why={why ?? noneGoesOn} size="sm" aria-label={`Turn on ${name}`} {...opens("turn-on", value)}>
          On…
        </Button>
        <Button why={why} size="sm" aria-label={`Turn off ${name}`} {...opens("turn-off", value)}>
          Off…
        </Button>
        {maySave && (
          <Button
            variant="ghost"
            size="icon"
            aria-label={`Edit ${name}`}
            icon={<Pencil />}
            {...opens("edit", group.id)}
          />
        )}
        {mayDelete && (
          <Button
            variant="ghost"
            size="icon"
            aria-label={`Delete ${name}`}
            icon={<Trash2 />}
            {...opens("delete", group.id)}
          />
        )}
      </div>
    </li>
  );
}
