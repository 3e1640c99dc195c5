import { Download } from "#app/ui/icons";
import { Section } from "#app/forms/settings-form";
import { PROGRAM_PATH, type AgentProgram } from "#domain/agent/program";
import { buttonClasses } from "#app/ui/button";
import { Fact } from "#app/ui/card";

/** What the technician puts on the computer: the file, what it must add up to, and the commands. */
export function Program({ program, origin }: { program: AgentProgram; origin: string }) {
  const { version, sha256, bytes } = program;
  const { host } = new URL(origin);
  return (
    <Section
      title="The Program"
      text="One file for a Linux computer with Node 20 or newer. It opens connections to port 443 only; nothing has to be let in."
      className="mt-4"
      aside={
        <a href={PROGRAM_PATH} download className={buttonClasses("secondary")}>
          <Download className="size-4" />
          Download
        </a>
      }
    >
      <dl className="facts">
        <Fact label="Version">{version}</Fact>
        <Fact label="Size">{Math.ceil(bytes / 1024)} KiB</Fact>
      </dl>
      <div>
        <h3 className="text-ink-soft text-sm font-medium">SHA-256</h3>
        <code className="break-all select-all">{sha256}</code>
      </div>
      <div>
        <h3 className="text-ink-soft text-sm font-medium">On the agent's computer</h3>
        <pre className="bg-sunken mt-1 break-all whitespace-pre-wrap rounded-md px-3 py-2 text-sm">
          {`curl -fO ${origin}${PROGRAM_PATH}\nsha256sum agent.mjs\nsudo node agent.mjs install --url ${host}`}
        </pre>
      </div>
    </Section>
  );
}
