import { KeyRound, Pencil, UserMinus, UserPlus, Users } from "#app/ui/icons";
import { EmptyState } from "#app/components/empty-state";
import { useOrganization } from "#app/components/organization";
import { PageHeader } from "#app/components/page-header";
import { ConfirmDialog } from "#app/forms/confirm-dialog";
import { Streamed } from "#app/router/streamed";
import { Tabs } from "#app/components/tabs";
import { useRecord } from "#app/router/use-record";
import { opens, useDialog } from "#app/router/view";
import type { Deferred } from "#app/router/deferred";
import type { User } from "#domain/records/records";
import { Badge } from "#app/ui/badge";
import { Button } from "#app/ui/button";
import { Card } from "#app/ui/card";
import { LoadingBlock } from "#app/ui/spinner";
import { InviteDialog } from "./invite-dialog";
import { NewCodeDialog } from "./new-code-dialog";
import { PersonDialog, orgRoleOf } from "./person-dialog";
import type { Person } from "./staff";
import { StandingBadges } from "./standing-badges";
import { ORG_ROLE_LABELS, TABS } from "./words";

/** Everybody in the organization, in any department. */
export function People({ people }: { people: Promise<Deferred<Person[]>> }) {
  const { dialog } = useDialog();
  return (
    <>
      <PageHeader title="Departments" text="Who works here, and what they may do">
        <Button variant="primary" icon={<UserPlus className="size-4" />} {...opens("new")}>
          Invite Person
        </Button>
      </PageHeader>
      <Tabs label="Departments" current="people" tabs={TABS} />
      <Streamed list={people} loading={<LoadingBlock label="Loading people..." />} failed="Failed to load people">
        {(rows) => (
          <>
            <PeopleRows people={rows} />
            <ChosenPerson people={rows} />
          </>
        )}
      </Streamed>
      {dialog === "new" && <InviteDialog />}
    </>
  );
}

function PeopleRows({ people }: { people: Person[] }) {
  const { user } = useOrganization();
  if (people.length === 0) return <EmptyState icon={Users} title="No people yet" />;
  return (
    <Card className="overflow-hidden">
      <ul aria-label="People" className="divide-line divide-y">
        {people.map((person) => (
          <li key={person.id} className="tiny:flex-wrap flex items-center gap-3 py-2 pr-3 pl-4">
            <div className="tiny:basis-full flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
              <span className="min-w-0 font-medium sm:flex-1 sm:truncate">
                {person.email}
                {person.id === user.id && <span className="text-ink-faint font-normal"> (you)</span>}
              </span>
              <span className="flex gap-1.5">
                <Badge tone={person.role === "admin" ? "brand" : "neutral"}>{ORG_ROLE_LABELS[orgRoleOf(person)]}</Badge>
                <StandingBadges {...person} />
              </span>
            </div>
            {mayManage(person, user) && <PersonActions person={person} isMe={person.id === user.id} />}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Only an organization admin manages one. */
function mayManage(person: Person, user: User): boolean {
  return person.org_role !== "org_admin" || user.org_role === "org_admin";
}

function PersonActions({ person: { id, email, active }, isMe }: { person: Person; isMe: boolean }) {
  return (
    <>
      {!isMe && active && (
        <Button
          variant="ghost"
          size="icon"
          aria-label={`New code for ${email}`}
          icon={<KeyRound className="size-4" />}
          {...opens("reset", id)}
        />
      )}
      <Button
        variant="ghost"
        size="icon"
        aria-label={`Edit ${email}`}
        icon={<Pencil className="size-4" />}
        {...opens("edit", id)}
      />
      {!isMe && (
        <Button
          variant="ghost"
          size="icon"
          aria-label={`Remove ${email}`}
          icon={<UserMinus className="size-4" />}
          {...opens("remove", id)}
        />
      )}
    </>
  );
}

function ChosenPerson({ people }: { people: Person[] }) {
  const { dialog, record: person, close } = useRecord(people);
  if (!person) return null;
  if (dialog === "edit") return <PersonDialog key={person.id} person={person} />;
  if (dialog === "remove") return <RemovePerson key={person.id} person={person} onClose={close} />;
  return dialog === "reset" ? <NewCodeDialog key={person.id} person={person} /> : null;
}

function RemovePerson({ person, onClose }: { person: Person; onClose: () => void }) {
  return (
    <ConfirmDialog
      title={`Remove ${person.email}`}
      text="They leave the organization and its departments, and are signed out of it. Their account stays, and so does what they did here. Open work orders and alarms that are assigned to them will be nobody's."
      intent="expel"
      record={{ id: person.id }}
      words={{ keep: "Cancel", go: "Remove", going: "Removing..." }}
      onClose={onClose}
    />
  );
}
