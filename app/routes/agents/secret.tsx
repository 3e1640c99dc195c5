import { ShownOnce } from "#app/components/shown-once";

type Props = { title: string; name: string; secret: string; onClose: () => void };

/** An agent's secret, for its computer. */
export function Secret({ title, name, secret, onClose }: Props) {
  return (
    <ShownOnce title={title} description={name} noun="secret" value={secret} onClose={onClose}>
      <p>
        The installation on the agent's computer asks for this secret. It is shown only now; if it is lost, make a new
        one.
      </p>
    </ShownOnce>
  );
}
