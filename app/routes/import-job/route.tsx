import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";
import { ArrowLeft, FileX } from "#app/ui/icons";
import { AccessDenied } from "#app/components/access-denied";
import { ButtonLink } from "#app/components/button-link";
import { EmptyState } from "#app/components/empty-state";
import { Failure } from "#app/components/failure";
import { PageHeader } from "#app/components/page-header";
import { catchNetworkError } from "#app/forms/catch-network-error";
import { answer, type Outcome } from "#app/forms/form-answer";
import { foundOrNull } from "#app/routes/detail/found-or-null";
import { isAnotherList } from "#app/router/view";
import { requireUser } from "#app/session/session";
import type { ImportDetail } from "#domain/organization/import-records";
import { can } from "#domain/organization/permissions";
import { ImportScreen } from "./import-screen";

export const meta: MetaFunction = () => [{ title: "Import · Lamplighter" }];
export const shouldRevalidate = isAnotherList;

const FAILED = { apply: "Failed to import the file" };

export async function loader(args: LoaderFunctionArgs) {
  const { user, services } = await requireUser(args);
  if (!can(user, "import.run")) return { denied: true as const, job: null };
  const job = await foundOrNull(services.imports.find(args.params.id ?? ""));
  return data({ denied: false as const, job }, { status: job ? 200 : 404 });
}

export async function action(args: ActionFunctionArgs) {
  const { user, services } = await requireUser(args);
  const form = await args.request.formData();
  const apply = async () => outcomeOf(await services.imports.apply(args.params.id ?? ""));
  return answer(user, form, { apply: { run: apply } }, FAILED);
}

function outcomeOf({ state, reason }: ImportDetail): Outcome {
  if (state === "failed") return { ok: false, toast: reason ?? FAILED.apply, detail: null };
  return { ok: true, toast: state === "done" ? "Imported successfully" : "The import is under way", detail: null };
}

export const clientAction = (args: ClientActionFunctionArgs) => catchNetworkError(args, FAILED);

export default function ImportJobPage() {
  const { denied, job } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader title={job?.file_name ?? "Import"} text={job ? "An import of areas, hubs and devices" : ""} wraps>
        <ButtonLink to="/import" icon={<ArrowLeft className="size-4" />}>
          Import
        </ButtonLink>
      </PageHeader>
      {job && <ImportScreen job={job} />}
      {!job && denied && <AccessDenied capability="import.run" />}
      {!job && !denied && <EmptyState icon={FileX} title="Import not found" text={GONE} />}
    </>
  );
}

const GONE = "It does not exist any more, or somebody else has made it.";

export const ErrorBoundary = () => <Failure screen="Import" text="Failed to fetch the import" />;
