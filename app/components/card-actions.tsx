import { Pencil, Trash2 } from "#app/ui/icons";
import { opens } from "#app/router/view";
import { Button } from "#app/ui/button";

type Props = { id: string; name: string; mayEdit: boolean; mayDelete: boolean };

/** The edit and delete buttons of a card. */
export function CardActions({ id, name, mayEdit, mayDelete }: Props) {
  return (
    <div className="corner">
      {mayEdit && <Button aria-label={`Edit ${name}`} icon={<Pencil />} {...opens("edit", id)} />}
      {mayDelete && <Button aria-label={`Delete ${name}`} icon={<Trash2 />} {...opens("delete", id)} />}
    </div>
  );
}
