import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DeviceState } from "#domain/enums";
import { type Heard, lightFacts, type LightFacts } from "#domain/light/light-facts";
import { problemOf, shownState } from "#domain/light/light-problem";
import { lightSentence } from "#domain/light/light-sentence";
import { resolve } from "#domain/resolve/desired-state";
import { aSchedule, at, claimsAt, guardrails, LA, Light, nextOf, planned } from "./a-light";
import { runsHere } from "./runs";

const day = (time: string) => at(`2026-07-01 ${time}`);
const evening = aSchedule("2026-07-01 17:30", "2026-07-01 21:30", "FREQ=DAILY");
const NIGHT = guardrails({ HARD_CURFEW_OFF: "23:45", BLACKOUT_WINDOW: "00:00-05:00", MAX_ON_DURATION_MIN: 300 });

const WELL: Heard = {
  off_by: null,
  on_by: null,
  hold_by: null,
  hold_reason: null,
  emergency_by: null,
  emergency_reason: null,
  hold_since: null,
  emergency_since: null,
  known: "unknown",
  command: null,
  cools_until: null,
  trouble: null,
  hub_away_since: null,
  entrusted_since: null,
  is_tested: false,
  is_area_active: true,
};

function factsOf(light: Light, heard: Partial<Heard> = {}): LightFacts {
  const outlook = { schedules: planned(light.plans), instants: light.instants, limits: light.limits };
  const known: DeviceState = light.isLit ? "on" : "off";
  return lightFacts(outlook, { ...WELL, known, ...heard }, light.now);
}

const say = (light: Light, heard: Partial<Heard> = {}) => lightSentence(factsOf(light, heard));
const parks = () => new Light({ "Evening lights": evening }, NIGHT);
const BY_MANAGER = { off_by: "manager@parks.example", on_by: "manager@parks.example" };

describe("a light that is as it should be", () => {
  const rows: [string, () => string, string][] = [
    ["before tonight's window", () => say(parks()), "Off until 5:30 PM: Evening lights"],
    [
      "after tonight's window",
      () => say(parks().goTo("2026-07-01 22:00")),
      "Off until tomorrow 5:30 PM: Evening lights",
    ],
    ["without any schedule", () => say(new Light({}, NIGHT)), "Off: nothing is scheduled"],
    ["in an inactive area", () => say(new Light({}, NIGHT), { is_area_active: false }), "Off: its area is inactive"],
    ["in its window", () => say(parks().goTo("2026-07-01 19:05")), "On until 9:30 PM: Evening lights"],
    [
      "in two windows that follow each other",
      () =>
        say(
          new Light(
            { "Evening lights": evening, Finals: aSchedule("2026-07-01 21:00", "2026-07-01 22:15") },
            NIGHT,
          ).goTo("2026-07-01 21:10"),
        ),
      "On until 10:15 PM: Evening lights, Finals",
    ],
    [
      "in a window that another one follows, which keeps it on",
      () =>
        say(
          new Light(
            { "Evening lights": evening, Finals: aSchedule("2026-07-01 21:00", "2026-07-01 22:15") },
            NIGHT,
          ).goTo("2026-07-01 19:05"),
        ),
      "On until 10:15 PM: Evening lights, then Finals",
    ],
    [
      "in a window that several follow, which keep it on",
      () =>
        say(
          new Light(
            {
              "Evening lights": evening,
              Finals: aSchedule("2026-07-01 21:30", "2026-07-01 22:15"),
              Awards: aSchedule("2026-07-01 22:15", "2026-07-01 22:45"),
            },
            NIGHT,
          ).goTo("2026-07-01 19:05"),
        ),
      "On until 10:45 PM: Evening lights, then 2 more",
    ],
    [
      "in an emergency that ends in its window",
      () =>
        say(parks().goTo("2026-07-01 17:00").emergency("2026-07-01 18:00").goTo("2026-07-01 17:05"), {
          emergency_by: "manager@parks.example",
          emergency_reason: "police",
        }),
      "On until 9:30 PM: emergency, police (manager), then Evening lights",
    ],
    [
      "in an emergency after which a person's ON goes on",
      () => {
        const light = new Light({}, NIGHT).goTo("2026-07-01 17:00");
        light.toggleOn();
        return say(light.emergency("2026-07-01 18:00"), {
          ...BY_MANAGER,
          emergency_by: "admin@parks.example",
          emergency_reason: "police",
        });
      },
      "On until 10:00 PM: emergency, police (admin), then switched on by manager at 5:00 PM",
    ],
    [
      "held on until an end in its window",
      () => {
        const light = parks().goTo("2026-07-01 17:00");
        light.holdOn("2026-07-01 18:00");
        return say(light, { hold_by: "manager@parks.example", hold_reason: "setting up" });
      },
      "On until 9:30 PM: setting up (manager), then Evening lights",
    ],
    [
      "in its window, and held on for longer",
      () => {
        const light = parks().goTo("2026-07-01 21:00");
        light.holdOn("2026-07-01 22:00");
        return say(light, { hold_by: "manager@parks.example", hold_reason: "overtime" });
      },
      "On until 10:00 PM: Evening lights, then overtime (manager)",
    ],
    [
      "lit at the lamp before its window",
      () => say(parks().goTo("2026-07-01 17:00").switchAtLamp("on").goTo("2026-07-01 17:10")),
      "On since 5:00 PM without a reason: switched on at the lamp; Evening lights at 5:30 PM",
    ],
    [
      "lit at the lamp under a permit that ends as its window begins",
      () => {
        const light = parks().goTo("2026-07-01 10:00");
        light.permits = [{ start: day("10:00"), end: day("17:30") }];
        return say(light.switchAtLamp("on").goTo("2026-07-01 17:10"));
      },
      "On since 10:00 AM without a reason: switched on at the lamp; Evening lights at 5:30 PM",
    ],
    [
      "in its window while its lamp cools",
      () => {
        const light = parks().goTo("2026-07-01 19:05");
        const command = { action: "on", attempt: 0, is_answered: false, held_since: null } as const;
        return say(light, { known: "off", command, cools_until: day("19:17") });
      },
      "Lamp is cooling; on at 7:17 PM, until 9:30 PM: Evening lights",
    ],
    [
      "in its window, which is over before its lamp has cooled",
      () => {
        const light = parks().goTo("2026-07-01 21:20");
        const command = { action: "on", attempt: 0, is_answered: false, held_since: null } as const;
        return say(light, { known: "off", command, cools_until: day("21:35") });
      },
      "Lamp is cooling until 9:35 PM, wanted only until 9:30 PM: Evening lights",
    ],
    [
      "in its window, which is over in the moment in which its lamp has cooled",
      () => {
        const light = parks().goTo("2026-07-01 21:20");
        const command = { action: "on", attempt: 0, is_answered: false, held_since: null } as const;
        return say(light, { known: "off", command, cools_until: day("21:30") });
      },
      "Lamp is cooling until 9:30 PM, wanted only until 9:30 PM: Evening lights",
    ],
    [
      "switched on by a person, and its longest time on is shorter than its lamp needs to cool",
      () => {
        const light = new Light({}, guardrails({ MAX_ON_DURATION_MIN: 10 })).goTo("2026-07-01 17:00");
        light.toggleOn();
        const command = { action: "on", attempt: 0, is_answered: false, held_since: null } as const;
        return say(light, { known: "off", command, cools_until: day("17:15") });
      },
      "Lamp is cooling until 5:15 PM, wanted only until 5:10 PM: switched on at 5:00 PM",
    ],
    [
      "lit for long, and put out by a test so late that its lamp has not cooled before the longest time on is over",
      () => {
        const rules = guardrails({ MAX_ON_DURATION_MIN: 120 });
        const light = new Light({ "Evening lights": evening }, rules).goTo("2026-07-01 19:25");
        const command = { action: "on", attempt: 0, is_answered: false, held_since: null } as const;
        return say(light, { known: "off", command, cools_until: day("19:35") });
      },
      "Lamp is cooling until 7:35 PM, wanted only until 7:30 PM: Evening lights",
    ],
    [
      "switched off in its window",
      () => say(parks().goTo("2026-07-01 19:05").toggleOff(), BY_MANAGER),
      "Off by manager at 7:05 PM; Evening lights again tomorrow 5:30 PM",
    ],
    [
      "switched off, lit for an hour after that, and over",
      () => {
        const light = new Light({}, NIGHT).goTo("2026-07-01 19:05").toggleOff().goTo("2026-07-01 19:30");
        light.holdOn("2026-07-01 20:30");
        return say(light.goTo("2026-07-01 21:00"), { ...BY_MANAGER, hold_since: day("19:30") });
      },
      "Off: nothing is scheduled",
    ],
    [
      "switched off in its window, lit for an hour after that, and over while the window runs",
      () => {
        const light = parks().goTo("2026-07-01 19:05").toggleOff().goTo("2026-07-01 19:30");
        light.holdOn("2026-07-01 20:30");
        return say(light.goTo("2026-07-01 21:00"), { ...BY_MANAGER, hold_since: day("19:30") });
      },
      "Off by manager at 7:05 PM; Evening lights again tomorrow 5:30 PM",
    ],
    [
      "switched off by somebody unknown",
      () => say(parks().goTo("2026-07-01 19:05").toggleOff()),
      "Switched off at 7:05 PM; Evening lights again tomorrow 5:30 PM",
    ],
    [
      "switched off with another booking later tonight",
      () =>
        say(
          new Light({ "Evening lights": evening, Finals: aSchedule("2026-07-01 21:00", "2026-07-01 22:15") }, NIGHT)
            .goTo("2026-07-01 19:05")
            .toggleOff(),
          BY_MANAGER,
        ),
      "Off by manager at 7:05 PM; Finals at 9:00 PM",
    ],
    [
      "switched off, and nothing to come",
      () => say(new Light({}, NIGHT).goTo("2026-07-01 19:05").toggleOff(), BY_MANAGER),
      "Off by manager at 7:05 PM; nothing is scheduled",
    ],
    [
      "switched off inside the only window there is",
      () =>
        say(
          new Light({ Finals: aSchedule("2026-07-01 18:00", "2026-07-01 21:00") }, NIGHT)
            .goTo("2026-07-01 19:05")
            .toggleOff(),
          BY_MANAGER,
        ),
      "Off by manager at 7:05 PM; nothing is scheduled after Finals",
    ],
    [
      "in the curfew that cuts the only window there is",
      () =>
        say(new Light({ Finals: aSchedule("2026-07-01 22:00", "2026-07-02 01:00") }, NIGHT).goTo("2026-07-01 23:50")),
      "Off: curfew until 5:00 AM; nothing is scheduled after Finals",
    ],
    [
      "closed until somebody reopens it",
      () => {
        const wet = { id: "c", reason: "wet ground", start: day("12:00"), end: Infinity };
        return say(
          parks()
            .limit({ closures: [wet] })
            .goTo("2026-07-01 19:05"),
        );
      },
      "Off: closed: wet ground",
    ],
    [
      "closed for the season",
      () => {
        const reseeding = { id: "c", reason: "reseeding", start: day("12:00"), end: at("2026-09-20 06:00") };
        return say(parks().limit({ closures: [reseeding] }));
      },
      "Off: closed until Sep 20, 6:00 AM: reseeding; Evening lights on Sep 20, 5:30 PM",
    ],
    [
      "to be closed before anything is lit, until somebody reopens it",
      () => {
        const works = { id: "c", reason: "works", start: day("14:00"), end: Infinity };
        return say(parks().limit({ closures: [works] }));
      },
      "Off: a closure keeps what is scheduled dark",
    ],
    [
      "closed until after the only window there is",
      () => {
        const wet = { id: "c", reason: "wet ground", start: day("12:00"), end: at("2026-07-02 06:00") };
        return say(
          new Light({ Finals: aSchedule("2026-07-01 18:00", "2026-07-01 21:00") }, NIGHT).limit({ closures: [wet] }),
        );
      },
      "Off: closed until tomorrow 6:00 AM: wet ground; a closure keeps what is scheduled dark",
    ],
    [
      "switched off a week ago",
      () => say(new Light({}, guardrails()).goTo("2026-07-01 19:05").toggleOff().goTo("2026-07-08 12:00"), BY_MANAGER),
      "Off by manager on Jul 1, 7:05 PM; nothing is scheduled",
    ],
    [
      "lit and dark again since it was switched off",
      () => say(parks().goTo("2026-07-01 19:05").toggleOff().goTo("2026-07-02 22:00"), BY_MANAGER),
      "Off until tomorrow 5:30 PM: Evening lights",
    ],
    [
      "a booking made after an OFF",
      () => {
        const light = new Light({}, NIGHT).goTo("2026-07-01 19:00").toggleOff().goTo("2026-07-01 19:30");
        const created_at = new Date(day("19:30")).toISOString();
        light.change({ Finals: { ...aSchedule("2026-07-01 18:30", "2026-07-01 21:00"), created_at } });
        return say(light, BY_MANAGER);
      },
      "On until 9:00 PM: Finals",
    ],
    [
      "a booking made after an OFF, for later",
      () => {
        const light = new Light({}, NIGHT).goTo("2026-07-01 19:00").toggleOff().goTo("2026-07-01 19:30");
        return say(light.change({ Finals: aSchedule("2026-07-01 20:00", "2026-07-01 21:00") }), BY_MANAGER);
      },
      "Off by manager at 7:00 PM; Finals at 8:00 PM",
    ],
    [
      "after a booking that was made after an OFF",
      () => {
        const light = new Light({}, NIGHT).goTo("2026-07-01 19:00").toggleOff().goTo("2026-07-01 19:30");
        const created_at = new Date(day("19:30")).toISOString();
        light.change({ Finals: { ...aSchedule("2026-07-01 18:30", "2026-07-01 21:00"), created_at } });
        return say(light.goTo("2026-07-01 22:00"), BY_MANAGER);
      },
      "Off: nothing is scheduled",
    ],
    [
      "after a booking whose group it joined after an OFF",
      () => {
        const light = new Light({}, NIGHT).goTo("2026-07-01 19:00").toggleOff().goTo("2026-07-01 19:30");
        const joined = { created_at: new Date(day("12:00")).toISOString(), since: day("19:30") };
        light.change({ Finals: { ...aSchedule("2026-07-01 18:30", "2026-07-01 21:00"), ...joined } });
        return say(light.goTo("2026-07-01 22:00"), BY_MANAGER);
      },
      "Off: nothing is scheduled",
    ],
    [
      "cut after the longest time on",
      () =>
        say(
          new Light({ "Evening lights": evening }, { ...NIGHT, MAX_ON_DURATION_MIN: 240 })
            .change({ "Evening lights": aSchedule("2026-07-01 17:00", "2026-07-01 23:00", "FREQ=DAILY") })
            .goTo("2026-07-01 21:10"),
        ),
      "Off: 240 minutes reached at 9:00 PM; Evening lights again tomorrow 5:00 PM",
    ],
    [
      "cut after the longest time on, lit once more until a time, and then switched off by a person",
      () => {
        const light = new Light({ "Evening lights": aSchedule("2026-07-01 17:00", "2026-07-01 23:00") }, NIGHT);
        light.goTo("2026-07-01 22:10").holdOn("2026-07-01 22:30");
        light.goTo("2026-07-01 22:20").toggleOff();
        return say(light, { off_by: "manager@parks.example" });
      },
      "Off by manager at 10:20 PM; nothing is scheduled after Evening lights",
    ],
    [
      "switched on by a person",
      () => {
        const light = parks().goTo("2026-07-01 12:30");
        light.toggleOn();
        return say(light.goTo("2026-07-01 12:40"), BY_MANAGER);
      },
      "On until 9:30 PM: switched on by manager at 12:30 PM, then Evening lights",
    ],
    [
      "in the curfew",
      () => say(parks().goTo("2026-07-01 23:50")),
      "Off: curfew until 5:00 AM; Evening lights tomorrow 5:30 PM",
    ],
    [
      "in the blackout",
      () => say(parks().goTo("2026-07-02 01:00")),
      "Off: blackout until 5:00 AM; Evening lights at 5:30 PM",
    ],
    [
      "in a window that goes on after the blackout",
      () =>
        say(new Light({ Vigil: aSchedule("2026-07-01 22:00", "2026-07-02 08:00") }, NIGHT).goTo("2026-07-02 01:00")),
      "Off: blackout until 5:00 AM; Vigil at 5:00 AM",
    ],
    [
      "with windows that guardrails keep dark",
      () => say(new Light({ Watch: aSchedule("2026-07-02 01:00", "2026-07-02 03:00") }, NIGHT)),
      "Off: curfew and blackout keep what is scheduled dark",
    ],
    [
      "in guardrails that leave no time at which it may be on",
      () =>
        say(
          new Light(
            { "Evening lights": evening },
            { ...NIGHT, HARD_CURFEW_OFF: "05:00", BLACKOUT_WINDOW: "17:00-05:00" },
          ),
        ),
      "Off: curfew at all hours; curfew and blackout keep what is scheduled dark",
    ],
    [
      "in guardrails that only a permit in some days lifts",
      () => {
        const light = new Light(
          { "Evening lights": evening },
          { ...NIGHT, HARD_CURFEW_OFF: "05:00", BLACKOUT_WINDOW: "17:00-05:00" },
        );
        light.permits = [{ start: at("2026-07-04 17:00"), end: at("2026-07-04 22:00") }];
        return say(light);
      },
      "Off: curfew until Jul 4, 5:00 PM; Evening lights on Jul 4, 5:30 PM",
    ],
    [
      "lit at the lamp",
      () => say(new Light({}, NIGHT).goTo("2026-07-01 19:05").switchAtLamp("on").goTo("2026-07-01 20:00")),
      "On since 7:05 PM without a reason: switched on at the lamp; off at 11:45 PM at the latest",
    ],
    ["in a test", () => say(parks(), { is_tested: true }), "A connectivity test is running"],
    [
      "with its hub away",
      () => say(parks(), { hub_away_since: day("10:45") }),
      "Off until 5:30 PM: Evening lights; its hub is away since 10:45 AM",
    ],
    [
      "left to its agent's own plan",
      () => say(parks().goTo("2026-07-01 20:30"), { known: "unknown", entrusted_since: day("20:14") }),
      "On until 9:30 PM (Evening lights) by the agent's own plan, unconfirmed since 8:14 PM",
    ],
    [
      "left to its agent's own plan, in a window that another one follows",
      () => {
        const plans = { "Evening lights": evening, Finals: aSchedule("2026-07-01 21:00", "2026-07-01 22:15") };
        return say(new Light(plans, NIGHT).goTo("2026-07-01 20:30"), { entrusted_since: day("20:14") });
      },
      "On until 10:15 PM (Evening lights, then Finals) by the agent's own plan, unconfirmed since 8:14 PM",
    ],
    [
      "left to its agent's own plan in the curfew",
      () => say(parks().goTo("2026-07-01 23:50"), { entrusted_since: day("23:14") }),
      "Off until tomorrow 5:30 PM (curfew until 5:00 AM) by the agent's own plan, unconfirmed since 11:14 PM",
    ],
    [
      "left to its agent's own plan by day",
      () => say(parks(), { known: "unknown", entrusted_since: day("10:14"), hub_away_since: day("10:14") }),
      "Off until 5:30 PM (no schedule is running) by the agent's own plan, unconfirmed since 10:14 AM",
    ],
    ["not read yet", () => say(parks(), { known: "unknown" }), "Not confirmed to be off; Evening lights at 5:30 PM"],
  ];
  test.each(rows)("%s", (_when, said, sentence) => {
    expect(said()).toBe(sentence);
  });
});

describe("a light that is being switched", () => {
  const on = { action: "on" as const, attempt: 1, is_answered: false, held_since: null };
  const off = { ...on, action: "off" as const };
  const lit = () => parks().goTo("2026-07-01 19:05");
  const rows: [string, () => string, string][] = [
    ["on its way on", () => say(lit(), { known: "off", command: on }), "Turning on until 9:30 PM: Evening lights"],
    [
      "on, by its own answer",
      () => say(lit(), { known: "unknown", command: { ...on, is_answered: true } }),
      "On until 9:30 PM: Evening lights",
    ],
    [
      "not read since the engine restarted",
      () => say(lit(), { known: "unknown" }),
      "Should be on until 9:30 PM (Evening lights): not confirmed yet",
    ],
    [
      "switched off by a person",
      () => say(lit().toggleOff(), { ...BY_MANAGER, known: "on", command: off }),
      "Turning off: switched off by manager at 7:05 PM; Evening lights again tomorrow 5:30 PM",
    ],
    [
      "off, by its own answer",
      () => say(lit().toggleOff(), { ...BY_MANAGER, known: "unknown", command: { ...off, is_answered: true } }),
      "Off by manager at 7:05 PM; Evening lights again tomorrow 5:30 PM",
    ],
    [
      "at its window's end",
      () => say(lit().goTo("2026-07-01 21:30"), { known: "on", command: off }),
      "Turning off; Evening lights tomorrow 5:30 PM",
    ],
  ];
  test.each(rows)("%s", (_when, said, sentence) => {
    expect(said()).toBe(sentence);
  });
});

describe("a light that is not as it should be", () => {
  const third = { action: "on" as const, attempt: 3, is_answered: false, held_since: null };
  const lit = () => parks().goTo("2026-07-01 19:05");
  const stuck = () => {
    const light = lit().toggleOff();
    light.instants = { ...light.instants, lit_since: day("17:30") };
    return light;
  };
  const rows: [string, () => LightFacts, string, string][] = [
    [
      "its hub is away",
      () =>
        factsOf(lit(), { known: "unknown", hub_away_since: day("13:45"), trouble: { since: day("17:31"), tries: 3 } }),
      "Should be on (Evening lights): its hub is away since 1:45 PM, 3 tries",
      "5:31 PM",
    ],
    [
      "it stays dark",
      () => factsOf(lit(), { known: "off", trouble: { since: day("17:31"), tries: 1 } }),
      "Should be on (Evening lights): still off, 1 try",
      "5:31 PM",
    ],
    [
      "it stays lit after a person's OFF",
      () => factsOf(stuck(), { ...BY_MANAGER, known: "on", command: { ...third, action: "off" } }),
      "Should be off (switched off by manager at 7:05 PM): still on, 3 tries",
      "7:05 PM",
    ],
    [
      "a later try is under way",
      () => factsOf(lit(), { known: "unknown", command: third }),
      "Should be on (Evening lights): not confirmed, 3 tries",
      "7:05 PM",
    ],
    [
      "the cloud's limit holds it back",
      () => factsOf(lit(), { known: "off", command: { ...third, attempt: 0, held_since: day("19:00") } }),
      "Should be on (Evening lights): held back by the cloud's limit of calls since 7:00 PM",
      "7:00 PM",
    ],
    [
      "found lit at the pole",
      () => factsOf(new Light({}, NIGHT).goTo("2026-07-01 19:05").switchAtLamp("on").goTo("2026-07-01 20:00")),
      "On since 7:05 PM without a reason: switched on at the lamp; off at 11:45 PM at the latest",
      "7:05 PM",
    ],
  ];
  test.each(rows)("%s", (_when, made, sentence, since) => {
    const facts = made();
    expect(lightSentence(facts)).toBe(sentence);
    const problem = problemOf(facts);
    const clock = new Intl.DateTimeFormat("en-US", { timeZone: LA, timeStyle: "short" });
    expect(problem && clock.format(problem.since).replace("\u202f", " ")).toBe(since);
  });

  test("a first try, a test and a dark light with its hub away are no problem", () => {
    const first = { ...third, attempt: 1 };
    expect(problemOf(factsOf(lit(), { known: "off", command: first }))).toBeNull();
    expect(problemOf(factsOf(lit(), { known: "off", trouble: { since: 0, tries: 9 }, is_tested: true }))).toBeNull();
    expect(problemOf(factsOf(parks(), { hub_away_since: day("10:00") }))).toBeNull();
    expect(
      problemOf(factsOf(lit(), { known: "off", command: { ...first, attempt: 0, held_since: day("19:05") } })),
    ).toBeNull();
  });
});

const clock = fc.integer({ min: 0, max: 95 }).map((n) => n * 15);
const text = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
const somePlan = fc
  .record({ start: clock, quarters: fc.integer({ min: 1, max: 60 }), daily: fc.boolean(), late: fc.boolean() })
  .map(({ start, quarters, daily, late: isLate }) => {
    const begin = day(text(start));
    return {
      start_at: new Date(begin).toISOString(),
      end_at: new Date(begin + quarters * 900_000).toISOString(),
      rrule: daily ? "FREQ=DAILY" : null,
      timezone: LA,
      created_at: new Date(begin + (isLate ? 3_600_000 : -3_600_000)).toISOString(),
    };
  });
const aTime = fc.option(fc.integer({ min: day("00:00"), max: day("12:00") }));
const someStory = fc.record({
  plans: fc.dictionary(fc.constantFrom("Evening lights", "Finals", "Club"), somePlan, { maxKeys: 3 }),
  blackout: fc.option(fc.tuple(clock, clock).filter(([from, to]) => from !== to)),
  max: fc.integer({ min: 15, max: 600 }),
  acts: fc.array(fc.record({ hours: fc.integer({ min: 0, max: 12 }), what: fc.constantFrom("on", "off", "lamp") }), {
    maxLength: 3,
  }),
  known: fc.constantFrom<DeviceState>("on", "off", "unknown"),
  command: fc.option(
    fc.record({
      action: fc.constantFrom("on" as const, "off" as const),
      attempt: fc.integer({ min: 0, max: 3 }),
      is_answered: fc.boolean(),
      held_since: aTime,
    }),
  ),
  trouble: fc.option(
    fc.record({ since: fc.integer({ min: 0, max: day("12:00") }), tries: fc.integer({ min: 1, max: 9 }) }),
  ),
  hub_away_since: aTime,
  entrusted_since: fc.constant(null),
});

test("no sentence contradicts the facts about the light", () => {
  fc.assert(
    fc.property(someStory, ({ plans, blackout, max, acts, ...heard }) => {
      const rules = guardrails({
        BLACKOUT_WINDOW: blackout ? blackout.map(text).join("-") : "",
        MAX_ON_DURATION_MIN: max,
      });
      const light = new Light(plans, rules);
      for (const { hours, what } of acts) {
        light.goTo(light.now + hours * 3_600_000);
        if (what === "on") light.toggleOn();
        else if (what === "off") light.toggleOff();
        else light.switchAtLamp("on");
      }
      // A command wants the desired state, or puts out a light that no claim holds.
      const { state } = light.resolved();
      const wanted = state === "none" ? "off" : state;
      const command = heard.command && { ...heard.command, action: wanted };
      const facts = factsOf(light, { ...heard, ...BY_MANAGER, command });
      expect(contradictions(facts, light)).toEqual([]);
    }),
    { numRuns: runsHere(3_000) },
  );
});

/** Reads the sentence back and lists where it contradicts the facts. */
function contradictions(facts: LightFacts, light: Light): string[] {
  const sentence = lightSentence(facts);
  const problem = problemOf(facts);
  const shown = shownState(facts);
  const isExternal = facts.reason.kind === "external";
  const claims: [boolean, string][] = [
    [/^On\b/.test(sentence) && !isExternal, "on"],
    [/^(Off\b|Switched off)/.test(sentence), "off"],
  ];
  const found = claims.filter(([isSaid, state]) => isSaid && shown !== state).map(([, state]) => `says ${state}`);
  const must = (isTrue: boolean, what: string) => (isTrue ? [] : [`${what}: ${sentence}`]);
  const isLateWord = /^Should be (on|off) \(/.exec(sentence)?.[1];
  found.push(
    ...must((isLateWord !== undefined || isExternal) === (problem !== null), "a problem is said where there is one"),
  );
  if (isLateWord) found.push(...must(isLateWord === facts.wanted, "what it should be"));
  if (/^(On|Turning on)\b/.test(sentence) && !isExternal) found.push(...must(facts.wanted === "on", "on is wanted"));
  if (/^(Off|Switched off|Turning off)\b/.test(sentence)) found.push(...must(facts.wanted !== "on", "dark is wanted"));
  if (sentence.includes("nothing is scheduled")) {
    found.push(...must(nextOf(light.plans, light.now) === null, "a window is to come"));
    const running = claimsAt(light.plans, light.now);
    found.push(...must(sentence.includes("scheduled after") === running.length > 0, "a window runs"));
  }
  if (/\bby manager\b.*/.test(sentence) && sentence.startsWith("Off by")) {
    found.push(...must(light.instants.off_at !== null, "somebody switched it off"));
  }
  if (sentence.includes("minutes reached") && sentence.startsWith("Off")) {
    found.push(...must(light.instants.cut_min !== null || facts.reason.kind === "max_on", "it was cut"));
  }
  for (const title of ["Evening lights", "Finals", "Club"]) {
    if (sentence.includes(title)) found.push(...must(title in light.plans, `${title} is a schedule of it`));
  }
  if (facts.flip && !isLateWord && !isExternal) {
    const then = resolve({
      now: facts.flip.at,
      claims: claimsAt(light.plans, facts.flip.at),
      next_start: nextOf(light.plans, facts.flip.at),
      instants: {
        ...light.instants,
        lit_since: facts.wanted === "on" ? (light.instants.lit_since ?? light.now) : null,
      },
      limits: light.limits,
    });
    if (/^(Off|Switched off)/.test(sentence)) found.push(...must(then.state === "on", "it is lit when it says so"));
  }
  return found;
}
