import { Activity, ListChecks, Lightbulb, Power, Router, Square } from "#app/ui/icons";
import { useEffect, useRef, useState } from "react";
import { toast } from "sonner";
import { ChoiceSelect } from "#app/forms/choice-select";
import { useOrganization } from "#app/components/organization";
import type { Deferred } from "#app/router/deferred";
import { DEVICE_REQUIRED } from "#domain/hubs/connectivity";
import type { Explanation } from "#domain/resolve/explanation";
import { MAY_ONLY_LOOK, mayToggle } from "#domain/organization/permissions";
import { choiceInArea } from "#domain/records/name-in-area";
import { Button } from "#app/ui/button";
import { Card } from "#app/ui/card";
import { ClaimQuestion, type Question } from "./claim-question";
import { FAILED } from "./outcomes";
import { Sentence } from "./sentence";
import type { Step } from "./sequence";
import { Steps } from "./steps";
import type { Subjects } from "./subjects";
import { useRefusal } from "./use-refusal";
import { useSubject } from "./use-subject";
import type { useTests } from "./use-tests";

type Props = Subjects & {
  explanation: Promise<Deferred<Explanation>> | null;
  tests: ReturnType<typeof useTests>;
};

export function Controls({ areas, devices, isNarrowed, hubs, explanation, tests }: Props) {
  const { user } = useOrganization();
  const { area_id, device_id, hub_id, choose, chooseArea, isSettled } = useSubject();
  const [question, setQuestion] = useState<Question | null>(null);
  const { pending, full, runOne } = tests;
  const [asking, setAsking] = useState<"full" | "off" | null>(null);
  const isHere = useIsHere();
  const device = devices.find(({ id }) => id === device_id);
  const isHeld = full.isRunning || asking !== null;
  const busy = pending !== null || isHeld ? "A test is running" : null;
  const mayNotSwitch = device !== undefined && !mayToggle(user, device) ? MAY_ONLY_LOOK : null;
  const refusal = useRefusal(device_id, explanation);
  const mayNotLight = mayNotSwitch ?? refusal;

  /**
   * Asks first if a schedule keeps the light on right now, or if its lamp has to cool after the test. The engine may take
   * a while to say so: nothing else is chosen or begun meanwhile, and who leaves has no test run behind them.
   */
  async function unlessInUse(test: "full" | "off", go: () => void) {
    setAsking(test);
    const { rows } = (await explanation?.catch(() => null)) ?? { rows: null };
    if (!isHere.current) return;
    setAsking(null);
    if (!device || !rows) toast.error(FAILED.end);
    else if (rows.claims.length > 0 || device.restrike_min > 0) setQuestion({ device, claims: rows.claims, go });
    else go();
  }

  function runFull() {
    if (!device) toast.error(DEVICE_REQUIRED);
    else void unlessInUse("full", () => void full.run(device));
  }

  function one(step: Step) {
    return {
      pending: pending === step,
      disabled: !isSettled,
      why: busy ?? (step === "on" ? mayNotLight : step === "off" ? mayNotSwitch : null),
      onClick: () => void runOne(step, { device_id, hub_id }),
    };
  }

  const off = one("off");
  return (
    <Card className="flex flex-col gap-4 p-4 sm:p-5">
      <div className="grid gap-4 sm:grid-cols-2">
        {isNarrowed && (
          <ChoiceSelect
            label="Area"
            name="area"
            value={area_id || (device?.area_id ?? "")}
            onChange={chooseArea}
            none="Select an area"
            choices={areas}
            disabled={isHeld}
          />
        )}
        <ChoiceSelect
          label="Device"
          name="device"
          value={device_id}
          onChange={(id) => choose(id, devices.find((other) => other.id === id)?.hub_id ?? hub_id)}
          none="Select a device"
          choices={devices.map(choiceInArea)}
          disabled={isHeld || (isNarrowed && devices.length === 0)}
        />
        <ChoiceSelect
          label="Hub (optional)"
          name="hub"
          value={hub_id}
          onChange={(id) => choose(device_id, id)}
          none="No hub"
          choices={hubs}
          disabled={isHeld}
        />
      </div>
      {device && <Sentence explanation={explanation} />}
      <p className="hidden noscript:block">Tests need JavaScript.</p>
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-4 lg:max-xl:grid-cols-2 noscript:hidden">
        {full.isRunning ? (
          <Button
            icon={<Square className="size-4" />}
            pending={full.test?.phase === "stopping"}
            // It stands where the other was: a double click would stop what it began.
            onClick={(event) => event.detail < 2 && full.stop()}
            className="col-span-full"
          >
            {full.test?.phase === "stopping" ? "Stopping..." : "Stop"}
          </Button>
        ) : (
          <Button
            variant="primary"
            icon={<ListChecks className="size-4" />}
            pending={asking === "full"}
            disabled={!isSettled}
            why={busy ?? mayNotLight}
            onClick={runFull}
            className="col-span-full"
          >
            Run Full Test
          </Button>
        )}
        <Button icon={<Router className="size-4" />} {...one("ping")}>
          Ping Hub
        </Button>
        <Button icon={<Activity className="size-4" />} {...one("status")}>
          Get Status
        </Button>
        <Button icon={<Lightbulb className="size-4" />} {...one("on")}>
          Test ON
        </Button>
        <Button
          icon={<Power className="size-4" />}
          {...off}
          pending={off.pending || asking === "off"}
          onClick={() => (device ? void unlessInUse("off", off.onClick) : off.onClick())}
        >
          Test OFF
        </Button>
      </div>
      <p className="text-ink-faint text-xs">
        A single test holds the light for up to 30 seconds; then it goes back to its schedule. Guardrails hold in tests
        too.
      </p>
      {full.test && <Steps test={full.test} />}
      {question && <ClaimQuestion {...question} onClose={() => setQuestion(null)} />}
    </Card>
  );
}

/** Whether the person is still on the screen. */
function useIsHere() {
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => void (isHere.current = false);
  }, []);
  return isHere;
}
