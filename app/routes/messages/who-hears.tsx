import { ButtonLink } from "#app/components/button-link";
import { Note } from "#app/components/note";
import { Section } from "#app/forms/settings-form";
import type { Deferred } from "#app/router/deferred";
import { Streamed } from "#app/router/streamed";
import { Badge } from "#app/ui/badge";
import { LoadingBlock } from "#app/ui/spinner";
import { KIND_WORDS } from "#domain/alarms/alarm-words";
import type { MessageChannel } from "#domain/enums";
import { formatClock } from "#domain/time/display";
import { parseClock } from "#domain/time/parse-clock";
import { MINUTE_MS } from "#domain/time/units";
import type { ColleagueChoice } from "#domain/messages/message-choice";

type Props = { people: Promise<Deferred<ColleagueChoice[]>>; warning: string | null };

/** The people of the organization and how each hears of alarms. */
export function WhoHears({ people, warning }: Props) {
  return (
    <Section
      title="Who Hears of Alarms"
      text="Each person's own choice, beside the addresses of the settings"
      className="mt-4"
    >
      {warning && <Note>{warning}</Note>}
      <Streamed list={people} loading={<LoadingBlock label="Loading people..." />} failed="Failed to fetch people">
        {(rows) => <Choices people={rows} />}
      </Streamed>
      <ButtonLink to="/account" className="self-start">
        Choose for yourself
      </ButtonLink>
    </Section>
  );
}

function Choices({ people }: { people: ColleagueChoice[] }) {
  const hearing = people.filter((person) => channelsOf(person).length > 0);
  const silent = people.filter((person) => channelsOf(person).length === 0);
  return (
    <>
      {hearing.length === 0 ? (
        <p>Nobody has chosen to hear of alarms yet.</p>
      ) : (
        <ul aria-label="People who hear of alarms" className="divide-line -my-3 divide-y">
          {hearing.map((person) => (
            <Row key={person.user_id} person={person} />
          ))}
        </ul>
      )}
      {hearing.length > 0 && silent.length > 0 && (
        <p className="text-ink-soft break-words">Nothing chosen: {silent.map(({ account }) => account).join(", ")}</p>
      )}
    </>
  );
}

function Row({ person }: { person: ColleagueChoice }) {
  const { account, role, urgent_by, other_by, left_out } = person;
  return (
    <li className="py-3">
      <p className="flex flex-wrap items-center gap-x-2 font-medium">
        <span className="min-w-0 break-words">{account}</span>
        <Badge tone="neutral">{role}</Badge>
      </p>
      <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-3 break-words">
        <Fact name="Urgent">{waysOf(person, urgent_by)}</Fact>
        <Fact name="Others">{[waysOf(person, other_by), quietOf(person)].filter(Boolean).join(", ")}</Fact>
        {left_out.length > 0 && <Fact name="Never">{left_out.map((kind) => KIND_WORDS[kind]).join("; ")}</Fact>}
      </dl>
    </li>
  );
}

function Fact({ name, children }: { name: string; children: string }) {
  return (
    <>
      <dt className="text-ink-soft">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}

function channelsOf({ urgent_by, other_by }: ColleagueChoice): MessageChannel[] {
  return [...urgent_by, ...other_by];
}

function waysOf({ phone, email }: ColleagueChoice, channels: MessageChannel[]): string {
  const ways: Record<MessageChannel, string> = { sms: `SMS to ${phone}`, email: `e-mail to ${email}` };
  return channels.map((channel) => ways[channel]).join(", ") || "nothing";
}

/** Quiet hours say nothing to somebody who hears of no other alarm. */
function quietOf({ other_by, quiet_from, quiet_to, digest }: ColleagueChoice): string | null {
  if (other_by.length === 0 || quiet_from === null || quiet_to === null || quiet_from === quiet_to) return null;
  return `quiet from ${clockOf(quiet_from)} to ${clockOf(quiet_to)}, ${digest ? "then one message" : "and nothing later"}`;
}

/** '10:00 PM' of '22:00', as times are told everywhere. */
function clockOf(time: string): string {
  return formatClock((parseClock(time) ?? 0) * MINUTE_MS, "UTC");
}
