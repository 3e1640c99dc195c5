import type { Explanation } from "#domain/explanation";
import { AlertDialog } from "#app/ui/alert-dialog";
import { Button } from "#app/ui/button";

export type Question = { device_name: string; claims: Explanation["claims"]; go: () => void };

/** Asks before a test switches a light that a schedule keeps on right now. */
export function ClaimQuestion({ device_name, claims, go, onClose }: Question & { onClose: () => void }) {
  const titles = claims.map(({ title }) => `"${title}"`).join(" and ");
  const text = `${titles} ${claims.length > 1 ? "are" : "is"} running on "${device_name}". The test turns the light off for a moment.`;
  return (
    <AlertDialog title="Test a light that is in use?" description={text} keep="Cancel" onKeep={onClose}>
      <Button
        look="primary"
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
