import { attention } from "#db/attention";
import {
  MOST_ATTENTION,
  rankOf,
  type Attention,
  type AttentionItem,
  type LitArea,
  type OnNow,
} from "#domain/alarms/attention";
import {
  awayFacts,
  awaySentence,
  dueSentence,
  litForWords,
  refusedSentence,
  behindSentence,
  shouldBe,
  sureState,
  wrongFacts,
  wrongSentence,
  type Clock,
} from "#domain/alarms/attention-words";
import { alarmName, alarmSentence } from "#domain/alarms/alarm-words";
import { WORKORDER_PRIORITIES, type DeviceState } from "#domain/enums";
import { personOf } from "#domain/light/person-of";
import { can, mayToggle } from "#domain/organization/permissions";
import { visibleDepts } from "#domain/records/visibility";
import { madeBefore, orderSentence } from "#domain/alarms/workorder-due";
import { permit, type Scope } from "#worker/services/scope";
import { settingsService } from "#worker/services/settings";

/** The most areas that are told as lit now. */
const MOST_LIT_AREAS = 8;

type Rows<Of extends keyof ReturnType<typeof attention>> = Awaited<
  ReturnType<ReturnType<typeof attention>[Of]>
>[number];

/** What needs a person now and what is lit now, as far as the person's departments let them see it. */
export function attentionService(scope: Scope) {
  const { user, org_id, db } = scope;
  const repository = attention(db, org_id);

  return {
    /**
     * The cloud or an agent that does not answer, hubs that are away, lights that are wrong without either, and work orders
     * that are due; worst first, then the longest.
     */
    list: async (): Promise<Attention> => {
      permit(user, "dashboard.see");
      const now = scope.now().getTime();
      const { APP_TIMEZONE: zone, PROVIDER_MODE } = await settingsService(scope).find();
      const clock = { now, zone };
      const depts = visibleDepts(user);
      const before = madeBeforeAt(clock);
      const [connections, lights, hubs, orders] = await db.batch([
        repository.connections(depts, MOST_ATTENTION),
        repository.lights(depts, PROVIDER_MODE, MOST_ATTENTION),
        repository.hubs(depts, MOST_ATTENTION),
        repository.orders(depts, before, MOST_ATTENTION),
      ]);
      const counts = {
        connections: connections[0]?.every ?? 0,
        lights: lights[0]?.every ?? 0,
        hubs: hubs[0]?.every ?? 0,
        behind: hubs[0]?.behind_all ?? 0,
        orders: orders[0]?.every ?? 0,
      };
      const cut_off = Math.max(0, (connections[0]?.wrong ?? 0) - counts.lights - counts.behind);
      const items = [
        ...connections.map((row, at) => connectionItem(row, at === 0 ? cut_off : 0, clock)),
        ...hubs.map((row) => hubItem(scope, row, clock)),
        ...lights.map((row) => lightItem(scope, row, clock)),
        ...orders.map((row) => orderItem(row, clock)),
      ].toSorted((a, b) => rankOf(a) - rankOf(b));
      const total = counts.connections + counts.lights + counts.hubs + counts.orders;
      return { items: items.slice(0, MOST_ATTENTION), total, counts: { ...counts, cut_off } };
    },

    /** The areas with the most lit lights, and why and until when they are lit, from the engine's log. */
    onNow: async (): Promise<OnNow> => {
      permit(user, "dashboard.see");
      const rows = await repository.lit(visibleDepts(user), MOST_LIT_AREAS);
      const ids = [...new Set(rows.map(({ id }) => id))];
      return {
        areas: ids.flatMap((id) => litArea(rows.filter((row) => row.id === id))),
        on: rows[0]?.total_on ?? 0,
        in_areas: rows[0]?.in_areas ?? 0,
      };
    },
  };
}

function madeBeforeAt({ zone, now }: Clock) {
  const [low, medium, high, urgent] = WORKORDER_PRIORITIES.map((priority) => madeBefore(priority, zone, now));
  return { low: low ?? "", medium: medium ?? "", high: high ?? "", urgent: urgent ?? "" };
}

const KINDS = { off: "dark", on: "lit", unknown: "unconfirmed" } as const satisfies Record<DeviceState, string>;

function connectionItem(row: Rows<"connections">, behind: number, { zone, now }: Clock): AttentionItem {
  const sentence = alarmSentence({ ...row, since: row.opened_at, over_at: null }, zone, now);
  return {
    kind: "connection",
    id: row.id,
    name: alarmName({ kind: row.kind, device_name: null, hub_name: null }),
    area: null,
    sentence: behindSentence(sentence, behind),
    facts: "",
    due: null,
    act: { act: "open" },
    order: null,
    behind,
  };
}

function lightItem({ user }: Scope, row: Rows<"lights">, clock: Clock): AttentionItem {
  const { id, name, current_state, problem_since, wanted_state: state, order_id, order_title: title } = row;
  const wanted = state && { state, reason: row.wanted_reason, sentence: row.wanted_sentence };
  const light = { current_state, problem: row.problem ?? "", problem_since, wanted };
  return {
    kind: KINDS[sureState(light)],
    id,
    name,
    area: { id: row.area_id, name: row.area_name },
    sentence: wrongSentence(light, clock),
    facts: wrongFacts(light, clock.zone),
    due: dueSentence(light),
    act: mayToggle(user, row) ? { act: "switch", to: shouldBe(light) } : null,
    order: order_id === null || title === null ? null : { id: order_id, title },
    behind: 0,
  };
}

function hubItem({ user }: Scope, row: Rows<"hubs">, clock: Clock): AttentionItem {
  const { id, name, area_id, area_name, status, last_seen, behind, ...counts } = row;
  return {
    kind: "hub",
    id,
    name,
    area: { id: area_id, name: area_name },
    sentence: status === "offline" ? awaySentence(last_seen, counts, clock) : refusedSentence(behind),
    facts: status === "offline" ? awayFacts(last_seen, counts, clock.zone) : refusedSentence(behind),
    due: null,
    act: can(user, "connectivity.test") ? { act: "ping" } : null,
    order: null,
    behind,
  };
}

function orderItem(row: Rows<"orders">, { zone, now }: Clock): AttentionItem {
  const { id, title, priority, created_at, area_id, area_name } = row;
  const assignee = row.assignee && personOf(row.assignee);
  return {
    kind: "workorder",
    id,
    name: title,
    area: area_id === null || area_name === null ? null : { id: area_id, name: area_name },
    sentence: orderSentence({ priority, created_at, assignee }, zone, now),
    facts: "",
    due: null,
    act: { act: "open" },
    order: { id, title },
    behind: 0,
  };
}

function litArea(rows: Rows<"lit">[]): LitArea[] {
  const [first] = rows;
  if (!first) return [];
  const { id, name, on, all } = first;
  const asked = rows.flatMap(({ sentence }) => sentence ?? []);
  const unasked = rows.filter(({ sentence }) => sentence === null).reduce((sum, { lights }) => sum + lights, 0);
  return [{ id, name, on, all, why: litForWords(asked) ?? (unasked > 0 ? "Nobody asked for it" : null) }];
}
