import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, useSearchParams, type ClientActionFunctionArgs } from "@remix-run/react";
import { queryOf } from "#app/router/query";
import { AccessDenied } from "#app/components/access-denied";
import { Failure } from "#app/components/failure";
import { PageHeader } from "#app/components/page-header";
import { catchNetworkError } from "#app/forms/catch-network-error";
import { isAnotherList } from "#app/router/view";
import { answer, fields, text, version } from "#app/forms/form-answer";
import { requireUser } from "#app/session/session";
import { deferred } from "#app/router/deferred";
import { can } from "#domain/organization/permissions";
import { Departments } from "./departments";
import { invite, resetPassword } from "./invite";
import { People } from "./people";
import { peopleOf, staffOf } from "./staff";
import { HEADER } from "./words";

export const meta: MetaFunction = () => [{ title: "Departments · Lamplighter" }];
export const shouldRevalidate = isAnotherList;

const FAILED = {
  create: "Failed to save department",
  save: "Failed to save department",
  remove: "Failed to delete department",
  add: "Failed to add member",
  leave: "Failed to remove member",
  invite: "Failed to invite person",
  change: "Failed to save person",
  expel: "Failed to remove person",
  password: "Failed to make a new code",
};

export async function loader(args: LoaderFunctionArgs) {
  const { user, services } = await requireUser(args);
  if (!can(user, "department.edit")) return {};
  const { tab, department: id } = queryOf(args.request);
  if (tab === "people") return { people: deferred(peopleOf(services)) };
  return { departments: deferred(services.departments.list()), staff: id ? deferred(staffOf(services, id)) : null };
}

export async function action(args: ActionFunctionArgs) {
  const { user, services } = await requireUser(args);
  const form = await args.request.formData();
  const id = text(form, "id");
  const { departments, users } = services;
  const name = () => fields(form, "name");
  const change = () => ({ ...fields(form, "role"), active: form.has("active") });
  const handlers = {
    create: { run: () => departments.create(name()), done: "Department created successfully", over: "save" },
    save: { run: () => departments.save(id, name(), version(form)), done: "Department updated successfully" },
    remove: { run: () => departments.remove(id), done: "Department deleted successfully" },
    add: { run: () => departments.addMember(id, fields(form, "user_id", "role")), done: "Member added successfully" },
    leave: { run: () => departments.removeMember(chosen(args.request), id), done: "Member removed" },
    invite: { run: () => invite(users, fields(form, "email", "role")) },
    change: { run: () => users.save(id, change(), version(form)), done: "Person updated successfully" },
    expel: { run: () => users.remove(id), done: "Person removed" },
    password: { run: () => resetPassword(users, id) },
  };
  return answer(user, form, handlers, FAILED);
}

export const clientAction = (args: ClientActionFunctionArgs) => catchNetworkError(args, FAILED);

export default function Route() {
  const { departments, staff, people } = useLoaderData<typeof loader>();
  if (people) return <People people={people} />;
  if (!departments) {
    return (
      <>
        <PageHeader {...HEADER} />
        <AccessDenied capability="department.edit" />
      </>
    );
  }
  return <Departments departments={departments} staff={staff} />;
}

/** With a department chosen it was the members that were asked for. */
export function ErrorBoundary() {
  const [search] = useSearchParams();
  const what = search.has("department") ? "department members" : "departments";
  return <Failure screen="Departments" text={`Failed to load ${what}`} />;
}

/** The department whose members are on screen. */
function chosen(request: Request): string {
  return queryOf(request).department ?? "";
}
