import { Link } from "@remix-run/react";

/** Says that a link has narrowed the list to one area, with the way out. */
export const OfOneArea = () => (
  <p className="text-ink-soft mb-3">
    Only those of one area.{" "}
    <Link to="?" className="text-brand-text -my-3 py-3 font-medium hover:underline">
      Show all
    </Link>
  </p>
);
