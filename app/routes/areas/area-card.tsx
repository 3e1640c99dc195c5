import { MapPin } from "#app/ui/icons";
import { AreaIcon } from "#app/components/area-icon";
import { useCan } from "#app/components/capability";
import { CardActions } from "#app/components/card-actions";
import { useOrganization } from "#app/components/organization";
import { formatDated } from "#domain/time/display";
import type { Area, MayAffect } from "#domain/records/records";
import { NameLink, areaHref } from "#app/components/page-links";
import { Badge } from "#app/ui/badge";
import { Card, Fact } from "#app/ui/card";

export function AreaCard({ area }: { area: Area & MayAffect }) {
  const { zone, loaded_at } = useOrganization();
  const mayEdit = useCan("area.save");
  const mayDelete = useCan("area.delete") && area.may_affect;
  return (
    <li>
      <Card aria-label={area.name} className="flex h-full flex-col gap-3 p-4">
        <div className="flex items-start gap-3">
          <AreaIcon type={area.type} />
          <div className="min-w-0 flex-1">
            <h2 className="line-clamp-2 font-semibold">
              <NameLink to={areaHref(area.id)}>{area.name}</NameLink>
            </h2>
            <p className="text-ink-soft text-sm capitalize">{area.type}</p>
          </div>
          <CardActions name={area.name} id={area.id} mayEdit={mayEdit} mayDelete={mayDelete} />
        </div>
        <div className="flex">
          <Badge tone={area.active ? "ok" : "neutral"}>{area.active ? "Active" : "Inactive"}</Badge>
        </div>
        <dl className="facts">
          <Fact label="Created">{formatDated(area.created_at, zone, loaded_at)}</Fact>
        </dl>
        {area.location?.address && (
          <p className="text-ink-soft flex items-start gap-1.5 text-sm">
            <MapPin className="mt-0.5 size-4 shrink-0" />
            <span className="sr-only">Address</span>
            {area.location.address}
          </p>
        )}
      </Card>
    </li>
  );
}
