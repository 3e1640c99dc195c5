import { Note } from "#app/components/note";
import { useJson } from "#app/router/use-json";

/** What stays behind of what is moved to another area, before it is saved; nothing while `asked` is null. */
export function MovedNote({ asked }: { asked: { moved_hub: string } | { moved_device: string } | null }) {
  const moved = useJson<string>(asked && `/dependents?${new URLSearchParams(asked)}`);
  return (
    <div role="status">
      {moved && (
        <div className="mt-2">
          <Note>{moved}</Note>
        </div>
      )}
    </div>
  );
}
