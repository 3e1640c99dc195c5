import { Suspense, useCallback, useEffect, useRef, useState } from "react";
import { Moon, Plus } from "#app/ui/icons";
import { ButtonLink } from "#app/components/button-link";
import { useCan } from "#app/components/capability";
import { EmptyState } from "#app/components/empty-state";
import { Note } from "#app/components/note";
import { useOrganization } from "#app/components/organization";
import { PageHeader } from "#app/components/page-header";
import { RefreshButton } from "#app/components/refresh-button";
import { Pager } from "#app/lists/pager";
import type { Deferred } from "#app/router/deferred";
import { Streamed } from "#app/router/streamed";
import { useDialog } from "#app/router/view";
import type { DescribedSchedule } from "#app/routes/schedules/schedule-row";
import { dateWords } from "#app/routes/schedules/skip-words";
import type { NightFrame } from "#domain/tonight/tonight-frame";
import type { Night } from "./night";
import { useNoScript } from "#app/ui/no-script";
import type { Chosen } from "./chosen";
import { Legend } from "./legend";
import type { View } from "./night-links";
import { NightLinks, NightViews } from "./night-nav";
import { TonightSkeleton } from "./tonight-skeleton";
import { onDemand } from "#app/ui/on-demand";
import { giveBack, openerOf, type Opener } from "#app/ui/use-opener";

/** Each view's code is loaded after the page, which the server has drawn already. */
const NightChart = onDemand(() => import("./night-chart"));
const NightHours = onDemand(() => import("./night-hours"));
const NightTable = onDemand(() => import("./night-table"));
const NeedsAttention = onDemand(async () => ({
  default: (await import("#app/attention/needs-attention")).NeedsAttention,
}));
/** Loaded with the first bar that is opened, and with the first dialog. */
const BarPanel = onDemand(() => import("./bar-panel"));
const TonightDialogs = onDemand(() => import("./tonight-dialogs"));

const WORDS = { failed: "Failed to load tonight. The lights go by their plan without this screen." };

type Props = { frame: NightFrame; view: View; skipped: DescribedSchedule | null; night: Promise<Deferred<Night>> };

export function TonightScreen({ frame, view: asked, skipped, night }: Props) {
  // Bars need a script to be opened; the list does not.
  const noScript = useNoScript();
  const view = noScript ? "list" : asked;
  const { loaded_at } = useOrganization();
  const title = frame.kind === "running" ? "Tonight" : `Night of ${dateWords(frame.date, loaded_at)}`;
  return (
    <>
      <PageHeader title={title} wraps>
        <NightLinks frame={frame} view={view} />
        <NightViews frame={frame} view={view} />
        {/* On a phone beside the title, so that the answer is not pushed down by a row of its own. Without the views the nights are
            there, and of another night the title is. */}
        <div className={noScript || frame.kind !== "running" ? "" : "max-sm:absolute max-sm:top-0 max-sm:right-0"}>
          <RefreshButton list={night} words={WORDS} />
        </div>
      </PageHeader>
      <Streamed list={night} loading={<TonightSkeleton />} failed={WORDS.failed}>
        {(loaded) => <Loaded key={loaded.frame.date} night={loaded} view={view} skipped={skipped} />}
      </Streamed>
    </>
  );
}

function Loaded({ night, view, skipped }: { night: Night; view: View; skipped: DescribedSchedule | null }) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const opener = useRef<Opener | null>(null);
  const { dialog } = useDialog();
  const open = useCallback((next: Chosen) => {
    opener.current = openerOf(next.opener);
    setChosen(next);
  }, []);
  const close = useCallback(() => setChosen(null), []);
  useEffect(() => {
    // Not before the form has closed that skips a night: it would keep the focus, and take it along.
    if (chosen !== null || dialog !== null || opener.current === null) return;
    giveBack(opener.current);
    opener.current = null;
  }, [chosen, dialog]);
  if (night.total === 0) return <NoLights />;
  const isOver = night.frame.kind === "past";
  return (
    <>
      <p aria-live="polite" className="text-ink-soft -mt-2 mb-3 text-base sm:-mt-3">
        {night.sentence}
      </p>
      {night.attention && night.attention.total > 0 && (
        <div className="mb-4">
          <Suspense>
            <NeedsAttention attention={night.attention} />
          </Suspense>
        </div>
      )}
      {!night.isForeseen && !isOver && (
        <div className="mb-3">
          <Note>
            The switching engine did not answer. What was logged is shown; what comes next is not. The lights go by
            their plan.
          </Note>
        </div>
      )}
      <div className={view === "chart" ? "xl:grid xl:grid-cols-[minmax(0,1fr)_18rem] xl:items-start xl:gap-4" : ""}>
        <div className="min-w-0">
          <Suspense fallback={<TonightSkeleton />}>
            {view === "list" ? (
              <NightTable night={night} />
            ) : (
              <>
                <div className="max-sm:hidden">
                  <NightChart night={night} chosen={chosen} onOpen={open} />
                </div>
                <div className="sm:hidden">
                  <NightHours night={night} onOpen={open} />
                </div>
              </>
            )}
          </Suspense>
          <Pager {...night} />
        </div>
        {view === "chart" && (
          <aside aria-label="About the chart" className="max-xl:mt-4 xl:sticky xl:top-18">
            <Suspense fallback={null}>
              {chosen && <BarPanel key={chosen.light.id} chosen={chosen} night={night} onClose={close} />}
            </Suspense>
            {!chosen && <Hint />}
            <Legend />
          </aside>
        )}
      </div>
      <Suspense>
        <TonightDialogs night={night} chosen={chosen} skipped={skipped} onSkipped={close} />
      </Suspense>
    </>
  );
}

function NoLights() {
  const mayAdd = useCan("device.save");
  return (
    <EmptyState icon={Moon} title="There are no lights to show" text="Tonight shows what each light does and why.">
      {mayAdd && (
        <ButtonLink to="/devices?new=" icon={<Plus className="size-4" />}>
          Add a light
        </ButtonLink>
      )}
    </EmptyState>
  );
}

const Hint = () => (
  <p className="card text-ink-soft p-4 max-xl:hidden">
    Choose a bar to see why it is there, who made it, and what can be done.
  </p>
);
