import { Plus } from "#app/ui/icons";
import { CardActions } from "#app/components/card-actions";
import { Pager } from "#app/lists/pager";
import type { Deferred } from "#app/router/deferred";
import { Streamed } from "#app/router/streamed";
import { opens, useDialog } from "#app/router/view";
import { NameLink, areaHref } from "#app/components/page-links";
import { darkWords } from "#domain/guardrails/dark-hours";
import { maxOnWords } from "#domain/guardrails/policy";
import type { PolicyScope } from "#domain/enums";
import type { Policy } from "#domain/guardrails/limit-records";
import { Button } from "#app/ui/button";
import { Card } from "#app/ui/card";
import { LoadingBlock } from "#app/ui/spinner";
import { LimitsTable, type LimitsRow } from "./limits-table";
import { keyOf, nameOf, type Places } from "./places";
import { dialogOnDemand } from "#app/ui/dialog-on-demand";
import { capitalized } from "#domain/capitalized";

/** Loaded on demand, to keep its forms out of the first load. */
const PolicyDialog = dialogOnDemand(() => import("./policy-dialog"));

const LEVELS: Record<PolicyScope, string> = { type: "Type", area: "Area", group: "Group" };

/** Guardrails of types, areas and groups, and what each area ends up with. */
export function Policies({ places }: { places: Promise<Deferred<Places>> }) {
  return (
    <section aria-labelledby="policies" className="mt-6">
      <div className="mb-2 flex flex-wrap items-end justify-between gap-3">
        <div>
          <h2 id="policies" className="font-semibold">
            Guardrails by place
          </h2>
          <p className="text-ink-soft">
            A group comes before its area, an area before its type, a type before the organization.
          </p>
        </div>
        <Button icon={<Plus className="size-4" />} {...opens("new")}>
          New Policy
        </Button>
      </div>
      <Streamed list={places} loading={<LoadingBlock label="Loading policies..." />} failed="Failed to load policies">
        {(loaded) => (
          <>
            <Levels {...loaded} />
            <Ends ends={loaded.ends} />
            <Dialog places={loaded} />
          </>
        )}
      </Streamed>
    </section>
  );
}

function Levels({ policies, organization }: Places) {
  const rows: LimitsRow[] = [
    { id: "organization", name: "Organization", note: "the form above", ...organization },
    ...policies.map((policy) => ({
      id: keyOf(policy),
      name: nameOf(policy),
      note: LEVELS[policy.scope],
      ...wordsOf(policy),
      actions: policy.may_write && <CardActions id={keyOf(policy)} name={nameOf(policy)} mayEdit mayDelete />,
    })),
  ];
  return <LimitsTable label="Policies" first="Level" rows={rows} />;
}

function Ends({ ends }: Pick<Places, "ends">) {
  const rows = ends.rows.map(({ id, name, type, isGroup, dark, max_on }) => ({
    id,
    name: isGroup ? name : <NameLink to={areaHref(id)}>{name}</NameLink>,
    note: isGroup ? "Group" : capitalized(type),
    isNested: isGroup,
    dark,
    max_on,
  }));
  return (
    <>
      <h3 className="mt-4 mb-2 font-semibold">What each area ends up with</h3>
      {rows.length === 0 ? (
        <Card className="text-ink-soft px-4 py-3">There is no area yet.</Card>
      ) : (
        <LimitsTable label="What each area ends up with" first="Area" rows={rows} />
      )}
      <Pager {...ends} />
    </>
  );
}

function Dialog({ places }: { places: Places }) {
  const { dialog, close } = useDialog();
  return dialog && <PolicyDialog places={places} isNew={dialog === "new"} onClose={close} />;
}

function wordsOf({ HARD_CURFEW_OFF, BLACKOUT_WINDOW, MAX_ON_DURATION_MIN }: Policy) {
  const inherits = HARD_CURFEW_OFF === null && BLACKOUT_WINDOW === null;
  const own = { HARD_CURFEW_OFF: HARD_CURFEW_OFF ?? "", BLACKOUT_WINDOW: BLACKOUT_WINDOW ?? "" };
  return {
    dark: inherits ? "Dark time inherited" : darkWords(own),
    max_on: MAX_ON_DURATION_MIN === null ? "Longest time inherited" : capitalized(maxOnWords(MAX_ON_DURATION_MIN)),
  };
}
