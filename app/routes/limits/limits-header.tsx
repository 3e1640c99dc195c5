import { useSearchParams } from "@remix-run/react";
import { Plus } from "#app/ui/icons";
import { PageHeader } from "#app/components/page-header";
import { NameLink, Trail } from "#app/components/page-links";
import { Tabs } from "#app/components/tabs";
import { OfOneArea } from "#app/lists/of-one-area";
import { opens } from "#app/router/view";
import { Button } from "#app/ui/button";
import { COMING, PAST } from "./limits-asked";

type Props = { title: string; text: string; tab: string; add: string; mayAdd: boolean };

/** The head of the two screens of what limits a place for a time, closures and permits. */
export function LimitsHeader({ title, text, tab, add, mayAdd }: Props) {
  const area = useSearchParams()[0].get("area");
  return (
    <>
      <Trail>
        <NameLink to="/areas">Areas</NameLink>
      </Trail>
      <PageHeader title={title} text={text}>
        {mayAdd && (
          <Button variant="primary" icon={<Plus className="size-4" />} {...opens("new")}>
            {add}
          </Button>
        )}
      </PageHeader>
      <Tabs label={title} current={tab} tabs={[COMING, PAST]} kept={area === null ? {} : { area }} />
      {area !== null && (
        <div className="mb-3">
          <OfOneArea />
        </div>
      )}
    </>
  );
}
