import { counted } from "#domain/counted";
import type { Explanation } from "#domain/resolve/explanation";
import type { DeviceChoice } from "#domain/records/records";
import { AlertDialog } from "#app/ui/alert-dialog";
import { Button } from "#app/ui/button";

export type Question = {
  device: Pick<DeviceChoice, "name" | "restrike_min">;
  claims: Explanation["claims"];
  go: () => void;
};

/** Asks before a test switches off a light that a schedule keeps on right now, or whose lamp then has to cool. */
export function ClaimQuestion({ device, claims, go, onClose }: Question & { onClose: () => void }) {
  const titles = claims.map(({ title }) => `"${title}"`).join(" and ");
  const text = [
    claims.length > 0 &&
      `${titles} ${claims.length > 1 ? "are" : "is"} running on "${device.name}". The test turns the light off for a moment.`,
    device.restrike_min > 0 &&
      `Once it is off, the lamp of "${device.name}" cools for ${counted(device.restrike_min, "minute")} before it can be lit again.`,
  ]
    .filter(Boolean)
    .join(" ");
  return (
    <AlertDialog
      title={claims.length > 0 ? "Test a light that is in use?" : "Test a lamp that has to cool?"}
      description={text}
      keep="Cancel"
      onKeep={onClose}
    >
      <Button
        variant="primary"
        onClick={() => {
          onClose();
          go();
        }}
      >
        Run the test
      </Button>
    </AlertDialog>
  );
}
