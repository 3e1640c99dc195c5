import { NameLink } from "#app/components/page-links";

/** Of an area with more lights than a night shows. */
export function MoreLights({ area_id, more }: { area_id: string; more: number }) {
  const list = `/devices?${new URLSearchParams({ area: area_id })}`;
  return (
    <>
      {more} more {more === 1 ? "light is" : "lights are"} on <NameLink to={list}>the list of all lights</NameLink>.
    </>
  );
}
