import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { answer, text, version } from "#app/forms/form-answer";
import { TOGGLE_ACTIONS } from "#domain/enums";
import { inputOf } from "#app/forms/form-fields";
import { deviceInput } from "#domain/light/device-schema";
import { switchHandler } from "#app/routes/switch/switch-handler";
import { sentenceOrNull } from "#app/routes/dependents/of-page";
import { requireUser } from "#app/session/session";
import { DEVICE_FAILED } from "#app/routes/devices/device-failures";
import type { Services } from "#worker/context";
import { toggleHandler } from "./toggle-handler";

/** The actions of the list's and the device page's forms. */
export async function deviceAction(args: ActionFunctionArgs) {
  const { user, services } = await requireUser(args);
  const form = await args.request.formData();
  // A card's button names the light by its action; every other form has fields for both.
  const named = TOGGLE_ACTIONS.find((each) => form.has(each)) ?? "";
  const id = text(form, "id") || text(form, named);
  const action = text(form, "action") || named;
  const device = () => inputOf(form, deviceInput);
  const handlers = {
    create: { run: () => services.devices.create(device()), done: "Device created successfully", over: "save" },
    save: {
      run: async () => {
        const left = await leftBy(services, id, text(form, "area_id"));
        await services.devices.save(id, device(), version(form));
        return { ok: true, toast: "Device updated successfully", detail: left };
      },
    },
    remove: { run: () => services.devices.remove(id), done: `Device "${text(form, "name")}" deleted successfully` },
    toggle: toggleHandler(action, (action) => services.devices.toggle(id, { action })),
    switch: switchHandler(services, form),
  };
  return answer(user, form, handlers, DEVICE_FAILED);
}

/** What a light leaves that is saved in another area. Its form said so before, but not without script. */
async function leftBy({ devices, dependents }: Services, id: string, area_id: string): Promise<string | null> {
  const before = await devices.find(id);
  return before.area_id === area_id ? null : sentenceOrNull(dependents.movedDevice(id, "moved"));
}
