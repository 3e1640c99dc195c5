import type { SwitchAction } from "#domain/enums";
import type { Town } from "./town";

export async function press(
  town: Town,
  device = town.anyDevice(),
  action: SwitchAction = town.chance.is(0.6) ? "on" : "off",
): Promise<void> {
  const { world, oracle } = town;
  let began = world.now;
  world.beginToggle(
    device,
    action,
    (result) => oracle.pressed(device, action, began, result),
    () => {
      began = world.now;
      oracle.pressing(device, action);
    },
  );
  await world.calm();
}

export async function toggleQuickly(town: Town): Promise<void> {
  const device = town.anyDevice();
  for (let i = town.chance.int(2, 7); i > 0; i -= 1) {
    await press(town, device, i % 2 === 0 ? "on" : "off");
    await town.pass(town.chance.int(0, 1_500));
  }
}
