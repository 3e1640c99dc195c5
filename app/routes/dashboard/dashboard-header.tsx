import type { ReactNode } from "react";
import { PageHeader } from "#app/components/page-header";

export function DashboardHeader({ children }: { children?: ReactNode }) {
  return (
    <PageHeader title="Dashboard" text="Monitor and control lighting systems across all areas">
      {children}
    </PageHeader>
  );
}
