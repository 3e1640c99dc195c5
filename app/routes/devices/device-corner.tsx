import { useContext } from "react";
import { useCan } from "#app/components/capability";
import { CardActions } from "#app/components/card-actions";
import { SelectBox } from "#app/selection/select-box";
import { Selecting } from "./selecting";

type Props = { id: string; name: string; mayWrite: boolean };

/** A light's box while selecting, else the buttons of its record: none for who may only look at its department. */
export function DeviceCorner({ id, name, mayWrite }: Props) {
  const selection = useContext(Selecting);
  const mayEdit = useCan("device.save") && mayWrite;
  const mayDelete = useCan("device.delete") && mayWrite;
  if (selection?.isOn) return <SelectBox id={id} name={name} selection={selection} />;
  return <CardActions id={id} name={name} mayEdit={mayEdit} mayDelete={mayDelete} />;
}
