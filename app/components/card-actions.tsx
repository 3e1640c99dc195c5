import { Pencil, Trash2 } from "lucide-react";
import { opens } from "#app/router/view";
import { Button } from "#app/ui/button";

type Props = { id: string; name: string; mayEdit: boolean; mayDelete: boolean };

/** Edit and delete of one card, for those who may. */
export function CardActions({ id, name, mayEdit, mayDelete }: Props) {
  return (
    <div className="-mr-1.5 flex">
      {mayEdit && (
        <Button
          look="ghost"
          size="icon"
          aria-label={`Edit ${name}`}
          icon={<Pencil className="size-4" />}
          {...opens("edit", id)}
        />
      )}
      {mayDelete && (
        <Button
          look="ghost"
          size="icon"
          aria-label={`Delete ${name}`}
          icon={<Trash2 className="size-4" />}
          {...opens("delete", id)}
        />
      )}
    </div>
  );
}
