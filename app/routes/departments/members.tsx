import { UserMinus, UserPlus, Users } from "#app/ui/icons";
import { CardActions } from "#app/components/card-actions";
import { EmptyState } from "#app/components/empty-state";
import { useOrganization } from "#app/components/organization";
import { Streamed } from "#app/router/streamed";
import { opens } from "#app/router/view";
import type { Deferred } from "#app/router/deferred";
import { mayTakeOut, mayWriteInDept } from "#domain/organization/permissions";
import type { Department } from "#domain/records/records";
import { Badge } from "#app/ui/badge";
import { Button } from "#app/ui/button";
import { Card } from "#app/ui/card";
import { LoadingBlock } from "#app/ui/spinner";
import { MemberDialogs } from "./member-dialogs";
import { StandingBadges } from "./standing-badges";
import type { Staff } from "./staff";
import { DEPT_ROLE_LABELS } from "./words";

/** One department: its name and members, and the actions on both. */
export function Members({ department, staff }: { department: Department; staff: Promise<Deferred<Staff>> }) {
  const { id, name } = department;
  const { user } = useOrganization();
  return (
    <Card aria-label={name} className="min-w-0">
      <header className="border-line flex flex-wrap items-center gap-x-2 gap-y-2 border-b py-3 pr-3 pl-4">
        <h2 className="min-w-0 flex-1 break-words text-base font-semibold">{name}</h2>
        <CardActions name={name} id={id} mayEdit mayDelete={mayWriteInDept(user, id)} />
        <Button icon={<UserPlus className="size-4" />} {...opens("add", id)} className="max-sm:w-full sm:ml-1.5">
          Add Member
        </Button>
      </header>
      <Streamed
        list={staff}
        loading={<LoadingBlock label="Loading members..." />}
        failed="Failed to load department members"
      >
        {({ members, candidates, admins }) => (
          <>
            {members.length === 0 ? (
              <div className="p-4">
                <EmptyState icon={Users} title="No members yet" />
              </div>
            ) : (
              <MemberRows members={members} admins={admins} />
            )}
            <MemberDialogs department={department} members={members} candidates={candidates} admins={admins} />
          </>
        )}
      </Streamed>
    </Card>
  );
}

function MemberRows({ members, admins }: Pick<Staff, "members" | "admins">) {
  const { user } = useOrganization();
  return (
    <ul aria-label="Members" className="divide-line divide-y">
      {members.map(({ id, user_id, email, role, active, pending }) => (
        <li key={id} className="flex items-center gap-3 py-2 pr-3 pl-4">
          <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
            <span className="min-w-0 break-words font-medium sm:flex-1">{email}</span>
            <span className="flex gap-1.5">
              <Badge tone={role === "dept_admin" ? "brand" : "neutral"}>{DEPT_ROLE_LABELS[role]}</Badge>
              <StandingBadges active={active} pending={pending} />
            </span>
          </div>
          <Button
            variant="ghost"
            size="icon"
            aria-label={`Remove ${email}`}
            why={mayTakeOut(user, { user_id, role }, admins) ? null : BY_ANOTHER}
            icon={<UserMinus className="size-4" />}
            {...opens("remove", id)}
          />
        </li>
      ))}
    </ul>
  );
}

const BY_ANOTHER = "Another admin has to take you out of a department that you audit.";
