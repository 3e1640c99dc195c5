import { Pencil, Trash2 } from "lucide-react";
import { Button } from "#app/ui/button";

type Props = { name: string; onEdit: (() => void) | null; onDelete: (() => void) | null };

/** Edit and delete of one card, for those who may. */
export function CardActions({ name, onEdit, onDelete }: Props) {
  return (
    <div className="-mr-1.5 flex">
      {onEdit && (
        <Button
          look="ghost"
          size="icon"
          aria-label={`Edit ${name}`}
          icon={<Pencil className="size-4" />}
          onClick={onEdit}
        />
      )}
      {onDelete && (
        <Button
          look="ghost"
          size="icon"
          aria-label={`Delete ${name}`}
          icon={<Trash2 className="size-4" />}
          onClick={onDelete}
        />
      )}
    </div>
  );
}
