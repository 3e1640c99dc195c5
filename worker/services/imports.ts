import { counted } from "#domain/counted";
import { areas } from "#db/areas";
import { forgetSunWindows } from "#db/coming-windows";
import { departments } from "#db/departments";
import { devices } from "#db/devices";
import { hubs } from "#db/hubs";
import { imports, SHOWN } from "#db/imports";
import { parts } from "#db/parts";
import { causeOf, isRefusal, Refusal } from "#domain/errors";
import { MAX_NAME } from "#domain/fields/limits";
import { asPlainLine } from "#domain/fields/plain-text";
import { importInput } from "#domain/organization/import-schema";
import { maySeeDept, mayWriteInDept } from "#domain/organization/permissions";
import type { ImportDetail, ImportJob } from "#domain/organization/import-records";
import { isDeptShown } from "#domain/records/visibility";
import { fileText } from "#worker/import/file-text";
import { inventoryFile, templateFile } from "#worker/import/inventory-file";
import { noCounts, planImport, type Plan } from "#worker/import/plan";
import type { Here, Rights } from "#worker/import/planner";
import { readTable, type Row } from "#worker/import/table";
import { log } from "#worker/log";
import { audited } from "#worker/services/audit";
import { commit } from "#worker/services/commit";
import { moveImported, sunNeeds } from "#worker/services/moves";
import { once } from "#worker/services/once";
import { parse } from "#worker/services/parse";
import { found, invalid, permitRecord } from "#worker/services/refuse";
import { permit, type Scope } from "#worker/services/scope";
import { permitLights } from "#worker/services/targets";
import { sleep } from "#worker/sleep";

/** The browser gives up after 10 s; a larger file is looked after by polling. */
const PATIENCE_MS = 3_000;
/** Longer than the platform lets work go on behind an answer, and longer than one batch of the database. */
const DEAD_AFTER_MS = 90_000;
const STAGED_AT_ONCE = 400_000;

const INTERRUPTED = "It was interrupted before anything was changed. Choose the file again.";
const FAULT = "Something went wrong, and nothing was changed. Choose the file again.";
const CHANGED =
  "What this file is about was changed by someone else meanwhile. Nothing was imported. Choose the file again.";

/**
 * Areas, hubs and devices from a CSV file: checked first, applied when the person says so, all or nothing. Imports are a
 * person's own.
 */
export function importService(scope: Scope) {
  const { user, org_id, db, scheduler } = scope;
  const repository = imports(db, { org_id, user_id: user.id });
  // Whichever department is chosen: it hides lights from the lists, while a file is about those that are there.
  const rights: Rights = {
    sees: (dept_id) => maySeeDept(user, dept_id),
    writes: (dept_id) => mayWriteInDept(user, dept_id),
  };

  const find = async (id: string): Promise<ImportDetail> => {
    await repository.giveUp(new Date(scope.now().getTime() - DEAD_AFTER_MS).toISOString(), INTERRUPTED);
    return found(await repository.find(id), "Import");
  };

  async function create(input: unknown): Promise<ImportDetail> {
    return once(scope, { call: "import", input, again: find }, async (remember) => {
      const { csv, file_name = null } = parse(importInput, input);
      const table = readTable(csv);
      if (!table.ok) throw invalid("csv", table.sentence);
      const id = scope.newId();
      const counted = { file_name, rows: table.rows.length };
      await commit(scope, "import", [
        repository.create(id, { ...counted, counts: noCounts() }),
        audited(scope, "create", "import", id, { after: counted }),
        ...remember(id),
      ]);
      await soon(scope, check(id, table.rows));
      return find(id);
    });
  }

  /** The dry run: what it finds is written, and nothing else. */
  async function check(id: string, rows: Row[]): Promise<void> {
    try {
      const plan = planImport(rows, await here(), { rights, newId: scope.newId, allow: { loopback: scope.demo } });
      if (plan.problems.length > 0) return void (await repository.checked(id, refusalOf(plan)));
      let done = rows.length - plan.changes.length;
      for (const part of parts(plan.changes, STAGED_AT_ONCE)) {
        done += part.length;
        await db.batch(repository.stage(id, part, done));
      }
      await repository.checked(id, { state: "ready", counts: plan.counts, done: rows.length });
    } catch (caught) {
      log("error", "import.check_failed", { org_id, import_id: id, ...causeOf(caught) });
      await repository.checked(id, { state: "failed", reason: FAULT }).catch(() => undefined);
    }
  }

  async function here(): Promise<Here> {
    const [area, hub, device, dept] = await db.batch([
      areas(db, org_id).list(),
      hubs(db, org_id).list(),
      devices(db, org_id).list(null),
      departments(db, org_id).list(),
    ]);
    return { areas: area, hubs: hub, devices: device, departments: dept, ...(await sunNeeds(scope)) };
  }

  async function write(id: string, { rows, file_name, counts }: ImportJob): Promise<void> {
    try {
      const actor = { user_id: user.id, email: user.email, role: user.role };
      await commit(scope, "import", [
        repository.begun(id),
        ...(await moveImported(scope, id)),
        ...repository.apply(id, actor, rows),
        forgetSunWindows(db, org_id),
        audited(scope, "apply", "import", id, { after: { file_name, rows, counts } }),
      ]);
      // A light that came to another department may have taken its alarms from whoever had them.
      if (counts.device?.update) scheduler.noteLists(org_id, ["alarms"]);
    } catch (caught) {
      const reason = isRefusal(caught) && caught.code === "conflict" ? CHANGED : FAULT;
      if (reason === FAULT) log("error", "import.apply_failed", { org_id, import_id: id, ...causeOf(caught) });
      await repository.move(id, "applying", { state: "failed", reason }).catch(() => undefined);
    }
  }

  return {
    /** The person's latest imports. */
    list: async (): Promise<ImportJob[]> => {
      permit(user, "import.run");
      await repository.giveUp(new Date(scope.now().getTime() - DEAD_AFTER_MS).toISOString(), INTERRUPTED);
      return repository.list();
    },

    /** One of them, with its problems and changes. Refuses with `forbidden` and `not_found`. */
    find: async (id: string): Promise<ImportDetail> => {
      permit(user, "import.run");
      return find(id);
    },

    /**
     * Checks a file, and changes nothing yet: `ready` if it can be applied, `failed` with a sentence for each bad row,
     * `checking` while that takes longer. Refuses with `forbidden`, and with `invalid` what is no such file.
     */
    create: async (input: unknown): Promise<ImportDetail> => {
      permit(user, "import.run");
      return create(input);
    },

    /** The same for a file as a browser sends it. */
    upload: async (file: { name: string; bytes: Uint8Array }): Promise<ImportDetail> => {
      permit(user, "import.run");
      const read = fileText(file.name, file.bytes);
      if (!read.ok) throw invalid("csv", read.sentence);
      return create({ csv: read.text, file_name: shownName(file.name) });
    },

    /**
     * Applies what was checked, in one batch. Applying again answers what became of it. Refuses with `forbidden`,
     * `not_found`, and `conflict` while it is checked or when it failed.
     */
    apply: async (id: string): Promise<ImportDetail> => {
      permit(user, "import.run");
      const job = await find(id);
      if (job.state === "checking") throw new Refusal("conflict", "It is still being checked. Try again in a moment.");
      if (job.state === "failed") throw new Refusal("conflict", job.reason ?? FAULT);
      if (job.state !== "ready") return job;
      // One that was deleted meanwhile is nobody's to be in: the batch refuses it, and says so.
      const known = (await departments(db, org_id).list()).map((dept) => dept.id);
      const depts = await repository.depts(id);
      permitLights(
        scope,
        depts.filter((dept_id) => dept_id === null || known.includes(dept_id)),
      );
      // A light may have come to the area since the check, as the person's part in its department may be another.
      permitRecord((await repository.deptsOfSwitched(id)).every(rights.writes));
      const [begun] = await repository.move(id, "ready", { state: "applying", done: 0 });
      if (begun) await soon(scope, write(id, job));
      return find(id);
    },

    /** Every area, hub and device that the person sees, as CSV: imported again, it changes nothing. Refuses with `forbidden`. */
    inventory: async (): Promise<string> => {
      permit(user, "import.run");
      const { devices: all, ...rest } = await here();
      return inventoryFile({ ...rest, devices: all.filter(({ dept_id }) => isDeptShown(user, dept_id)) });
    },

    /** A file to fill in, with its columns and an example, as CSV. Refuses with `forbidden`. */
    template: async (): Promise<string> => {
      permit(user, "import.run");
      return templateFile();
    },
  };
}

/** A file's name as it can be stored: what is invisible in it, or half cut off, is no reason to refuse what it holds. */
function shownName(name: string): string {
  return asPlainLine(name.slice(0, MAX_NAME), "");
}

/** Waits for the work a little; what takes longer goes on behind the answer, also when the client has gone. */
async function soon(scope: Scope, work: Promise<void>): Promise<void> {
  scope.later(work);
  await Promise.race([work, sleep(PATIENCE_MS)]);
}

function refusalOf({ problems, counts }: Plan) {
  const rows = new Set(problems.map(({ row }) => row)).size;
  const reason = `${counted(rows, "row")} ${rows === 1 ? "has" : "have"} a problem, so nothing was imported. Mend the file and choose it again.`;
  return {
    state: "failed",
    reason,
    counts,
    problem_count: problems.length,
    problems: problems.slice(0, SHOWN),
  } as const;
}
