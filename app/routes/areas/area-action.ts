import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { answer, text, version } from "#app/forms/form-answer";
import { switchHandler } from "#app/routes/switch/switch-handler";
import { toggleHandler } from "#app/routes/devices/toggle-handler";
import { inputOf, type FormFields } from "#app/forms/form-fields";
import { areaInput } from "#domain/organization/area-schema";
import { area } from "#domain/records/records";
import { requireUser } from "#app/session/session";
import { AREA_FAILED } from "#app/routes/areas/area-failures";

/** The actions of the list's and the area page's forms; `toggle` is for a light of the area, `switch` for its lights. */
export async function areaAction(args: ActionFunctionArgs) {
  const { user, services } = await requireUser(args);
  const form = await args.request.formData();
  const id = text(form, "id");
  const handlers = {
    create: { run: () => services.areas.create(areaOf(form)), done: "Area created successfully", over: "save" },
    save: { run: () => services.areas.save(id, areaOf(form), version(form)), done: "Area updated successfully" },
    remove: { run: () => services.areas.remove(id), done: `Area "${text(form, "name")}" deleted successfully` },
    toggle: toggleHandler(text(form, "action"), (action) => services.devices.toggle(id, { action })),
    switch: switchHandler(services, form),
    create_group: {
      run: () => services.groups.create(groupOf(form)),
      done: "Group created successfully",
      over: "save_group",
    },
    save_group: {
      run: () => services.groups.save(id, groupOf(form), version(form)),
      done: "Group updated successfully",
    },
    remove_group: { run: () => services.groups.remove(id), done: `Group "${text(form, "name")}" deleted successfully` },
  };
  return answer(user, form, handlers, AREA_FAILED);
}

function groupOf(form: FormData) {
  return { area_id: text(form, "area_id"), name: text(form, "name"), device_ids: form.getAll("device_ids") };
}

function areaOf(form: FormData): Record<FormFields["area"], unknown> {
  const { name, type, stagger_sec } = inputOf(form, areaInput);
  return { name, type, stagger_sec, location: inputOf(form, area.shape.location.unwrap()), active: form.has("active") };
}
