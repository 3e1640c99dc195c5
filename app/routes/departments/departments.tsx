import { useSearchParams } from "@remix-run/react";
import { Plus, Users } from "#app/ui/icons";
import { useEffect } from "react";
import { toast } from "sonner";
import { EmptyState } from "#app/components/empty-state";
import { PageHeader } from "#app/components/page-header";
import { onUnreached } from "#app/router/connection";
import { Streamed } from "#app/router/streamed";
import { Tabs } from "#app/components/tabs";
import { useKept } from "#app/router/use-kept";
import { opens, useDialog } from "#app/router/view";
import type { Deferred } from "#app/router/deferred";
import type { Department } from "#domain/records/records";
import { Button } from "#app/ui/button";
import { LoadingBlock } from "#app/ui/spinner";
import { DepartmentDialog, DepartmentDialogs } from "./department-dialogs";
import { DepartmentNav } from "./department-nav";
import { Members } from "./members";
import type { Staff } from "./staff";
import { HEADER, TABS } from "./words";

type Props = { departments: Promise<Deferred<Department[]>>; staff: Promise<Deferred<Staff>> | null };

export function Departments({ departments, staff }: Props) {
  const { dialog } = useDialog();
  useLostMembers();
  return (
    <>
      <PageHeader {...HEADER}>
        <Button variant="primary" icon={<Plus className="size-4" />} {...opens("new")}>
          New Department
        </Button>
      </PageHeader>
      <Tabs label="Departments" current="departments" tabs={TABS} />
      <Streamed
        list={departments}
        loading={<LoadingBlock label="Loading departments..." />}
        failed="Failed to load departments"
      >
        {(rows) => (
          <div className="grid items-start gap-4 md:grid-cols-[17rem_minmax(0,1fr)]">
            <DepartmentNav departments={rows} />
            <Chosen departments={rows} staff={staff} />
            <DepartmentDialogs departments={rows} />
          </div>
        )}
      </Streamed>
      {dialog === "new" && <DepartmentDialog department={null} />}
    </>
  );
}

/** Says so if the request for a department's members got no answer; the screen stays as it was. */
function useLostMembers() {
  useEffect(() => {
    const tell = (search: string) => void (search.startsWith("?department=") && toast.error(FAILED, { id: FAILED }));
    return onUnreached(tell);
  }, []);
}

const FAILED = "Failed to load department members";

function Chosen({ departments, staff }: { departments: Department[]; staff: Props["staff"] }) {
  const id = useSearchParams()[0].get("department");
  const listed = departments.find((each) => each.id === id);
  const department = useKept(listed, { id, isGone: listed === undefined, dialogs: ["add", "remove"] });
  if (!department || !staff) {
    return <EmptyState icon={Users} title="Select a department to view and manage members" />;
  }
  return <Members key={department.id} department={department} staff={staff} />;
}
