import { grouped } from "#domain/counted";
import { PlugZap } from "#app/ui/icons";
import { useRef, useState } from "react";
import { EmptyState } from "#app/components/empty-state";
import { useOrganization } from "#app/components/organization";
import { AreaSelect } from "#app/forms/area-select";
import { ChoiceSelect } from "#app/forms/choice-select";
import { HiddenFields, IdempotencyKey } from "#app/forms/hidden-fields";
import { Unsaved } from "#app/forms/unsaved";
import { useAnswer } from "#app/forms/use-answer";
import { useInitialValue } from "#app/forms/use-initial-value";
import { Rest } from "#app/routes/import/rest";
import { Part } from "#app/routes/import/part";
import type { Choice } from "#domain/lists/list-query";
import { mayWriteInDept } from "#domain/organization/permissions";
import { choiceInArea } from "#domain/records/name-in-area";
import { Button } from "#app/ui/button";
import { FieldScope, TypedValues } from "#app/ui/field";
import { useNoScript } from "#app/ui/no-script";
import { useLeftFocus } from "#app/ui/use-left-focus";
import { AddableDevice, OtherDevice } from "./account-device";
import { nothingToAdd, type Account, type Listed } from "./list-of";

export type PlacedHub = Choice & { area_id: string; area_name: string };

type Props = Account & { areas: Choice[]; hubs: PlacedHub[] };

/** What the account lists: what can be added, with where it goes, and what cannot, with the reason. */
export function AccountForm({ addable, others, refusal, areas, hubs }: Props) {
  const listed = addable.rows.map(({ cloud_device_id: id }) => id).join();
  const lists = useLeftFocus<HTMLDivElement>(listed);
  if (refusal !== null) return <EmptyState icon={PlugZap} title="No list" text={refusal} />;
  return (
    <div ref={lists} tabIndex={-1} className="flex flex-col gap-4 outline-none">
      {addable.all === 0 && <EmptyState icon={PlugZap} title="Nothing to add" text={nothingToAdd({ others })} />}
      {/* A new form, with a key of its own, once what it listed has been added. */}
      {addable.all > 0 && <AddForm key={listed} addable={addable} areas={areas} hubs={hubs} />}
      {others.all > 0 && (
        <Part title={`Cannot be added (${grouped(others.all)})`}>
          <ul aria-label="Cannot be added" className="divide-line divide-y">
            {others.rows.map((device) => (
              <OtherDevice key={device.cloud_device_id} device={device} />
            ))}
          </ul>
          <Rest shown={others.rows.length} all={others.all} />
        </Part>
      )}
    </div>
  );
}

function AddForm({ addable, areas, hubs }: { addable: Listed; areas: Choice[]; hubs: PlacedHub[] }) {
  const { user, departments } = useOrganization();
  const writable = departments && departments.filter(({ id }) => mayWriteInDept(user, id));
  const { fetcher, pending, answer } = useAnswer();
  const list = useRef<HTMLUListElement>(null);
  const first = useInitialValue();
  const [area_id, setArea] = useState(first("area_id", ""));
  const [hub_id, setHub] = useState(first("hub_id", ""));
  const [dept_id, setDept] = useState(first("dept_id", ""));
  const noScript = useNoScript();
  const errors = answer && !answer.ok ? answer.errors : {};
  // Without script the area can still become another.
  const ofArea = hubs.filter((hub) => noScript || area_id === "" || hub.area_id === area_id);

  function chooseAll() {
    for (const box of list.current?.querySelectorAll<HTMLInputElement>("[name=device]") ?? []) box.checked = true;
    // As if each had been pressed: who leaves now is asked.
    list.current?.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function changeArea(next: string) {
    setArea(next);
    setHub("");
  }

  return (
    <fetcher.Form method="post" noValidate>
      <HiddenFields intent="add" />
      <IdempotencyKey />
      <Unsaved within="screen" answer={answer} />
      <Part title={`Can be added (${grouped(addable.all)})`}>
        <div className="border-line grid gap-4 border-b px-4 py-3 sm:grid-cols-3">
          <FieldScope name="area_id" error={errors.area_id}>
            <AreaSelect value={area_id} onChange={changeArea} areas={areas} />
          </FieldScope>
          <FieldScope name="hub_id" error={errors.hub_id}>
            <ChoiceSelect
              label="Hub"
              value={hub_id}
              onChange={setHub}
              none="No hub"
              choices={ofArea.map(choiceInArea)}
            />
          </FieldScope>
          <FieldScope name="dept_id" error={errors.dept_id}>
            <ChoiceSelect label="Department" value={dept_id} onChange={setDept} none="Org-wide" choices={writable} />
          </FieldScope>
        </div>
        <TypedValues value={(noScript && answer && !answer.ok && answer.typed) || null}>
          <ul ref={list} aria-label="Can be added" className="divide-line divide-y">
            {addable.rows.map((device) => (
              <AddableDevice key={device.cloud_device_id} device={device} />
            ))}
          </ul>
        </TypedValues>
        <Rest shown={addable.rows.length} all={addable.all} />
        <div className="border-line flex flex-wrap items-center gap-2 border-t px-4 py-3">
          <Button type="submit" variant="primary" pending={pending}>
            {pending ? "Adding..." : "Add chosen devices"}
          </Button>
          <Button onClick={chooseAll} className="noscript:hidden">
            Choose all
          </Button>
          {answer && !answer.ok && <p className="text-bad-text font-medium">{answer.toast}</p>}
        </div>
      </Part>
    </fetcher.Form>
  );
}
