import { Streamed } from "#app/router/streamed";
import type { Deferred } from "#app/router/deferred";
import type { Explanation } from "#domain/resolve/explanation";
import type { ConnectivityLog } from "#domain/records/records";
import { LoadingBlock } from "#app/ui/spinner";
import { Controls } from "./controls";
import { Results } from "./results";
import type { Subjects } from "./subjects";
import { TestLogs } from "./test-logs";
import { useTests } from "./use-tests";

type Props = {
  /** The server's clock when the screen was loaded. */
  now: number;
  subjects: Promise<Deferred<Subjects>>;
  /** Why the chosen device is on or off; null without a device. */
  explanation: Promise<Deferred<Explanation>> | null;
  logs: Promise<Deferred<ConnectivityLog[]>>;
};

export function Bench({ now, subjects, explanation, logs }: Props) {
  const tests = useTests(now);
  return (
    <>
      {/* What stands below the controls comes with them: they are not as high as what stands for them meanwhile. */}
      <div className="mb-6 grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] max-lg:has-[>[role=status]]:[&>article]:hidden [&:has(>[role=status])+section]:hidden">
        <Streamed
          list={subjects}
          loading={<LoadingBlock label="Loading devices and hubs..." />}
          failed="Failed to fetch devices and hubs"
        >
          {(known) => <Controls {...known} explanation={explanation} tests={tests} />}
        </Streamed>
        <Results results={tests.results} isFull={tests.full.isRunning} />
      </div>
      <TestLogs logs={logs} />
    </>
  );
}
