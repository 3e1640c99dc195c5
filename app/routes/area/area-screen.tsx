import { Suspense } from "react";
import { CalendarDays, MapPin, Moon, Pencil, Trash2 } from "#app/ui/icons";
import { ButtonLink } from "#app/components/button-link";
import { useCan } from "#app/components/capability";
import { useOrganization } from "#app/components/organization";
import { PageHeader } from "#app/components/page-header";
import { RefreshButton } from "#app/components/refresh-button";
import type { Deferred } from "#app/router/deferred";
import { Streamed } from "#app/router/streamed";
import { opens } from "#app/router/view";
import { Columns } from "#app/routes/detail/columns";
import { HistoryList } from "#app/routes/detail/history-list";
import { NameLink, Trail } from "#app/components/page-links";
import { Section } from "#app/routes/detail/section";
import { weekHref } from "#app/routes/schedules/week/week-links";
import { GuardrailNote } from "#app/routes/devices/guardrail-note";
import { commonRefusal } from "#domain/light/refusal";
import type { Area, Rights } from "#domain/records/records";
import { Badge } from "#app/ui/badge";
import { Button } from "#app/ui/button";
import { LoadingBlock } from "#app/ui/spinner";
import { AreaToggles } from "./area-toggles";
import { AreaLights } from "./area-lights";
import { whyNoneGoesOn, whyNoneIsSwitched, type Around, type Arriving } from "./around";
import { onDemand } from "#app/ui/on-demand";

/** Loaded after the page, to keep them out of the first load; the server renders the first two with it. */
const AreaAside = onDemand(() => import("./area-aside"));
const AreaNight = onDemand(() => import("./area-night"));
const GroupDialogs = onDemand(() => import("./group-dialogs"));
const AreaSwitch = onDemand(() => import("./area-switch"));

const WORDS = { failed: "Failed to fetch areas" };

type Props = { area: Area & Rights; around: Promise<Deferred<Arriving>> };

export function AreaScreen({ area, around }: Props) {
  const mayEdit = useCan("area.save");
  const mayDelete = useCan("area.delete") && area.may_affect;
  return (
    <>
      <Trail>
        <NameLink to="/areas">Areas</NameLink>
      </Trail>
      <PageHeader title={area.name} wraps>
        {/* On a phone beside the trail, so that what one comes for stands at the top. */}
        <div className="max-sm:absolute max-sm:-top-12 max-sm:right-0">
          <RefreshButton list={around} words={WORDS} />
        </div>
        <ButtonLink to={weekHref({ area: area.id })} icon={<CalendarDays />}>
          Week
        </ButtonLink>
        {mayEdit && (
          <Button icon={<Pencil className="size-4" />} aria-label={`Edit ${area.name}`} {...opens("edit", area.id)}>
            Edit
          </Button>
        )}
        {mayDelete && (
          <Button icon={<Trash2 className="size-4" />} aria-label={`Delete ${area.name}`} {...opens("delete", area.id)}>
            Delete
          </Button>
        )}
      </PageHeader>
      <p className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <Badge tone={area.active ? "ok" : "neutral"}>{area.active ? "Active" : "Inactive"}</Badge>
        <span className="text-ink-soft capitalize">{area.type}</span>
        {area.location?.address && (
          <span className="text-ink-soft flex items-center gap-1.5">
            <MapPin className="size-4 shrink-0" />
            {area.location.address}
          </span>
        )}
        {!area.active && <span className="text-ink-soft">No schedule switches a light here.</span>}
      </p>
      <Streamed list={around} loading={<LoadingBlock label="Loading area..." />} failed={WORDS.failed}>
        {(arrived) => <Body {...arrived} area={area} />}
      </Streamed>
    </>
  );
}

function Body(around: Around) {
  const { area, summary, devices, history, groups, tonight } = around;
  const { user } = useOrganization();
  const why = whyNoneIsSwitched(user, devices, summary.devices_total);
  const refusal = commonRefusal(devices.map((device) => device.refusal));
  const noneGoesOn = whyNoneGoesOn(devices, summary.devices_total);
  const only = new URLSearchParams({ area: area.id });
  return (
    <>
      <AreaToggles area={area} lights={summary.devices_total} why={why} refusal={noneGoesOn} />
      <GuardrailNote guardrail={refusal} />
      {tonight && (
        <div className="mb-3 sm:mb-4">
          <Section icon={Moon} title="Tonight" more={{ to: `/tonight?open=${area.id}`, label: "All areas" }}>
            <Suspense fallback={<div style={{ height: `${4 + tonight.lights.length * 1.75}rem` }} />}>
              <AreaNight {...tonight} />
            </Suspense>
          </Section>
        </div>
      )}
      <Columns
        main={<AreaLights area_id={area.id} summary={summary} devices={devices} isNoted={refusal !== null} />}
        aside={
          <Suspense>
            <AreaAside {...around} />
          </Suspense>
        }
        history={<HistoryList history={history} of={area} all={`/history?${only}`} namesDevices />}
      />
      <Suspense>
        <GroupDialogs area={area} groups={groups} />
        <AreaSwitch {...around} />
      </Suspense>
    </>
  );
}
