import { useState } from "react";
import type { ApiCall } from "#app/components/ask-api";
import { SelectionBar } from "#app/selection/selection-bar";
import { useBulk, type Item } from "#app/selection/use-bulk";
import type { Selection } from "#app/selection/use-selection";
import { counted } from "#domain/counted";
import type { SwitchAction } from "#domain/enums";
import { AlertDialog } from "#app/ui/alert-dialog";
import { Button } from "#app/ui/button";
import { Lightbulb, Power } from "#app/ui/icons";
import type { ListedDevice } from "./listed-device";
import { RelightNote } from "./relight-note";

const DOING: Record<SwitchAction, { now: string; done: string }> = {
  on: { now: "Turning on", done: "turned on" },
  off: { now: "Turning off", done: "turned off" },
};

const NONE_CHOSEN = "Select lights first";

type Props = { selection: Selection<ListedDevice>; guardrail: string | null };

/** Switches many lights at once; an OFF that would end an emergency asks first. Failed ones stay selected, to try again. */
export function BulkSwitch({ selection, guardrail }: Props) {
  const { run, start, stop, forget } = useBulk();
  const [isAsking, ask] = useState(false);
  const { chosen } = selection;
  const emergencies = chosen.filter(({ hold }) => hold?.emergency).length;

  async function switchAll(action: SwitchAction) {
    ask(false);
    const fallback = `Failed to turn ${action} device`;
    const callOf = ({ id }: Item): ApiCall => ({
      method: "POST",
      path: `/devices/${id}/toggle`,
      body: { action },
      fallback,
    });
    const results = await start(DOING[action], chosen, callOf);
    selection.choose(results.filter(({ reason }) => reason !== null));
  }

  function end() {
    forget();
    selection.end();
  }

  const isEmpty = chosen.length === 0;
  const off = `Turn off ${counted(chosen.length, "light")}`;
  return (
    <SelectionBar
      selection={selection}
      run={run}
      onStop={stop}
      onEnd={end}
      outcome={run?.isOver && run.doing === DOING.off && <RelightNote turnedOff={run.results} />}
    >
      <Button
        icon={<Lightbulb className="size-4" />}
        why={guardrail ?? (isEmpty ? NONE_CHOSEN : null)}
        aria-describedby={guardrail ? "guardrail" : undefined}
        onClick={() => void switchAll("on")}
      >
        Turn on
      </Button>
      <Button
        icon={<Power className="size-4" />}
        why={isEmpty ? NONE_CHOSEN : null}
        onClick={() => (emergencies > 0 ? ask(true) : void switchAll("off"))}
      >
        Turn off
      </Button>
      {isAsking && (
        <AlertDialog title={off} description={endsWords(emergencies)} keep="Keep them on" onKeep={() => ask(false)}>
          <Button variant="danger" onClick={() => void switchAll("off")}>
            {off}
          </Button>
        </AlertDialog>
      )}
    </SelectionBar>
  );
}

/** '2 lights are on by an emergency, which turning off ends.' */
function endsWords(count: number): string {
  return `${counted(count, "light")} ${count === 1 ? "is" : "are"} on by an emergency, which turning off ends.`;
}
