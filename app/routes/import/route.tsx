import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { Download } from "#app/ui/icons";
import { AccessDenied } from "#app/components/access-denied";
import { ButtonLink } from "#app/components/button-link";
import { Failure } from "#app/components/failure";
import { PageHeader } from "#app/components/page-header";
import { answer } from "#app/forms/form-answer";
import { isAnotherList } from "#app/router/view";
import { requireUser } from "#app/session/session";
import { can } from "#domain/organization/permissions";
import { buttonClasses } from "#app/ui/button";
import { ImportList } from "./import-list";
import { Part } from "./part";
import { UploadForm } from "./upload-form";

export const meta: MetaFunction = () => [{ title: "Import · Lamplighter" }];
export const shouldRevalidate = isAnotherList;

export async function loader(args: LoaderFunctionArgs) {
  const { user, services } = await requireUser(args);
  return can(user, "import.run") ? { imports: await services.imports.list() } : null;
}

export async function action(args: ActionFunctionArgs) {
  const { user, services } = await requireUser(args);
  const form = await args.request.formData();
  const upload = async () => {
    const { id } = await services.imports.upload(await fileOf(form.get("csv")));
    throw redirect(`/import/${id}`);
  };
  return answer(user, form, { upload: { run: upload } }, { upload: "Failed to check the file" });
}

/** Nothing chosen arrives as a file of no bytes, and something else than a file as text. */
async function fileOf(file: FormDataEntryValue | null): Promise<{ name: string; bytes: Uint8Array }> {
  if (file === null || typeof file === "string") return { name: "", bytes: new Uint8Array() };
  return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
}

export default function Import() {
  const loaded = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader title="Import" text="Areas, hubs and devices from a spreadsheet, or from the hub account" wraps />
      {loaded ? <Steps {...loaded} /> : <AccessDenied capability="import.run" />}
    </>
  );
}

function Steps({ imports }: Extract<Awaited<ReturnType<typeof loader>>, object>) {
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-4">
        <Part title="1. Get the form">
          <div className="flex flex-col gap-3 px-4 py-3">
            <p className="text-ink-soft">
              One CSV file with a row for each area, hub and device. Begin with the template, or with what is here.
            </p>
            <div className="flex flex-wrap gap-2">
              <Downloads />
            </div>
          </div>
        </Part>
        <Part title="2. Check the file">
          <UploadForm />
        </Part>
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        <Part title="From the hub account">
          <div className="flex flex-col items-start gap-3 px-4 py-3">
            <p className="text-ink-soft">Devices that the vendor's account knows and that are not here yet.</p>
            <ButtonLink to="/import/hub-account">Add from the hub account</ButtonLink>
          </div>
        </Part>
        <Part title="Your latest imports">
          <ImportList imports={imports} />
        </Part>
      </div>
    </div>
  );
}

/** Plain links: the router would take the file for a page. */
function Downloads() {
  return (
    <>
      <a href="/export/template" download className={buttonClasses()}>
        <Download className="size-4" />
        Download template
      </a>
      <a href="/export/inventory" download className={buttonClasses()}>
        <Download className="size-4" />
        Export what is here
      </a>
    </>
  );
}

export const ErrorBoundary = () => <Failure screen="Import" text="Failed to fetch imports" />;
