import { ShownOnce } from "#app/components/shown-once";

type Props = { title: string; description: string; secret: string; onClose: () => void };

/** A webhook's secret, for the other system. */
export function Secret({ title, description, secret, onClose }: Props) {
  return (
    <ShownOnce title={title} description={description} noun="secret" value={secret} onClose={onClose}>
      <p>
        The other system needs this secret to check that a message is ours. It is shown only now; if it is lost, make a
        new one.
      </p>
    </ShownOnce>
  );
}
