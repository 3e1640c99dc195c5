import { useContext } from "react";
import { useCan } from "#app/components/capability";
import { CardActions } from "#app/components/card-actions";
import { SelectBox } from "#app/selection/select-box";
import { Selecting } from "./selecting";

/** A light's box while selecting, else the buttons of its record. */
export function DeviceCorner({ id, name }: { id: string; name: string }) {
  const selection = useContext(Selecting);
  const mayEdit = useCan("device.save");
  const mayDelete = useCan("device.delete");
  if (selection?.isOn) return <SelectBox id={id} name={name} selection={selection} />;
  return <CardActions id={id} name={name} mayEdit={mayEdit} mayDelete={mayDelete} />;
}
