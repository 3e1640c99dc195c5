import { Link } from "@remix-run/react";

/** Says that a link has narrowed the list to one area, with the way out. */
export const OfOneArea = ({ name }: { name?: string | undefined }) => (
  <p className="text-ink-soft">
    {name === undefined ? "Only those of one area." : `Only those of ${name}.`}{" "}
    <Link to="?" className="text-brand-text -my-3 py-3 font-medium hover:underline">
      Show all
    </Link>
  </p>
);
