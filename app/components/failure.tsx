import { useRevalidator } from "@remix-run/react";
import { CloudOff, RotateCw } from "#app/ui/icons";
import { useEffect } from "react";
import { toast } from "sonner";
import { PageHeader } from "#app/components/page-header";
import { useFailed } from "#app/router/connection";
import { Button } from "#app/ui/button";
import { reloads } from "#app/ui/no-script";

type Props = {
  text: string;
  /** The screen's heading, when the failure replaces the whole screen. */
  screen?: string;
};

/** Replaces a list that failed to load: shows the text here and in a toast, with a button to try again. */
export function Failure({ text, screen }: Props) {
  const { revalidate, state } = useRevalidator();
  useFailed();
  useEffect(() => {
    toast.error(text, { id: text });
  }, [text]);
  return (
    <>
      {screen && <PageHeader title={screen} />}
      <div
        role="alert"
        className="border-line bg-surface flex flex-col items-center gap-3 rounded-xl border px-6 py-16 text-center"
      >
        <CloudOff className="text-ink-faint size-9" />
        <p className="font-medium">{text}</p>
        <Button icon={<RotateCw className="size-4" />} pending={state !== "idle"} {...reloads(revalidate)}>
          Try again
        </Button>
      </div>
    </>
  );
}
