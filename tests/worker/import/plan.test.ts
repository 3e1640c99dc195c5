import { describe, expect, test } from "vitest";
import type { Area, Device, Hub } from "#domain/records/records";
import { areaInput } from "#domain/organization/area-schema";
import { deviceInput } from "#domain/light/device-schema";
import { hubInput } from "#domain/hubs/hub-schema";
import { INPUTS } from "#tests/support/listed-fields";
import { columnOfField } from "#worker/import/columns";
import { inventoryFile, templateFile } from "#worker/import/inventory-file";
import { planImport } from "#worker/import/plan";
import type { Here } from "#worker/import/planner";
import { readTable } from "#worker/import/table";

const editable = { version: 3, created_at: "2026-11-01T00:00:00.000Z", updated_at: "2026-11-01T00:00:00.000Z" };
const anArea = (id: string, more: Partial<Area> = {}): Area => ({
  ...editable,
  id,
  name: "Elm Park",
  type: "park",
  location: null,
  active: true,
  stagger_sec: 0,
  ...more,
});
const aHub = (id: string, more: Partial<Hub> = {}): Hub => ({
  ...editable,
  id,
  name: "Hub 1",
  area_id: "elm",
  area_name: "Elm Park",
  ip_address: "10.0.0.1",
  port: 1080,
  connection_mode: "hybrid",
  agent_id: null,
  agent_name: null,
  notes: null,
  has_local_credentials: false,
  ...more,
});
const aDevice = (id: string, more: Partial<Device> = {}): Device => ({
  ...editable,
  id,
  name: "Gate light",
  area_id: "elm",
  area_name: "Elm Park",
  hub_id: "hub",
  hub_name: "Hub 1",
  dept_id: null,
  model: null,
  cloud_device_id: null,
  local_ref: null,
  on_payload: null,
  off_payload: null,
  notes: null,
  restrike_min: 0,
  current_state: "on",
  last_state_at: null,
  problem: null,
  problem_since: null,
  hold: null,
  ...more,
});

const DEPARTMENTS = [
  { id: "sports", name: "Sports" },
  { id: "rivers", name: "Rivers" },
];
const HERE: Here = {
  positions_needed: new Map(),
  sun_schedules: new Map(),
  areas: [anArea("elm"), anArea("field", { name: "North Field", type: "field" })],
  hubs: [aHub("hub"), aHub("field-hub", { area_id: "field", area_name: "North Field" })],
  devices: [
    aDevice("gate", { cloud_device_id: "d88b01" }),
    aDevice("court", { name: "Court light", hub_id: null, hub_name: null }),
  ],
  departments: DEPARTMENTS,
};

function planOf(text: string, here: Partial<Here> = {}, sees: (dept_id: string | null) => boolean = () => true) {
  const table = readTable(text);
  if (!table.ok) throw new Error(table.sentence);
  let ids = 0;
  const rights = { sees, writes: (dept_id: string | null) => dept_id !== "rivers" };
  const deps = { rights, newId: () => `new-${(ids += 1)}`, allow: { loopback: false } };
  return planImport(table.rows, { ...HERE, ...here }, deps);
}
const problemsOf = (text: string, here?: Partial<Here>) =>
  planOf(text, here).problems.map(({ row, column, sentence }) => `${row} ${column}: ${sentence}`);
const changesOf = (text: string, here?: Partial<Here>) => {
  const { problems, changes } = planOf(text, here);
  expect(problems).toEqual([]);
  return changes.map(({ row, kind, action, record_id, fields }) => [row, kind, action, record_id, ...fields].join(" "));
};

test("areas, hubs and lights may come in one file, in any order, and name each other", () => {
  const { changes, problems, counts } = planOf(
    "Kind,Name,Area,Hub,Department\ndevice,Weir light,Weir,Weir hub,Sports\nhub,Weir hub,Weir,,\narea,Weir,,,\n",
  );
  expect(problems).toEqual([]);
  expect(counts).toEqual({
    area: { create: 1, update: 0, same: 0 },
    hub: { create: 1, update: 0, same: 0 },
    device: { create: 1, update: 0, same: 0 },
  });
  expect(
    changes.map(({ row, kind, details }) => [row, kind, details.after["area_id"], details.after["hub_id"]]),
  ).toEqual([
    [4, "area", undefined, undefined],
    [3, "hub", "new-1", undefined],
    [2, "device", "new-1", "new-2"],
  ]);
  expect(changes[0]?.details.after).toEqual({
    name: "Weir",
    type: "park",
    location: null,
    active: true,
    stagger_sec: 0,
  });
  expect(changes[1]?.details.after).toMatchObject({ port: 1080, connection_mode: "hybrid", ip_address: null });
  expect(changes[2]?.details.after).toMatchObject({ dept_id: "sports", cloud_device_id: null });
});

test("a park that is moved, or loses its position, is told by its latitude and longitude", () => {
  const location = { address: "1 Elm Street", lat: 37.77, lon: -122.45 };
  const here = { areas: [anArea("elm", { location })] };
  expect(changesOf("Kind,Name,Latitude,Longitude\narea,Elm Park,37.78,-122.45", here)).toEqual([
    "2 area update elm Latitude",
  ]);
  expect(changesOf("Kind,Name,Latitude,Longitude\narea,Elm Park,,", here)).toEqual([
    "2 area update elm Latitude Longitude",
  ]);
  expect(changesOf("Kind,Name,Address\narea,Elm Park,2 Elm Street", here)).toEqual(["2 area update elm Address"]);
  expect(changesOf("Kind,Name,Address,Latitude,Longitude\narea,Elm Park,,,", here)).toEqual([
    "2 area update elm Address Latitude Longitude",
  ]);
});

describe("what is exported changes nothing when it is imported", () => {
  test("as it is", () => {
    const { changes, problems, counts } = planOf(inventoryFile(HERE));
    expect({ changes, problems }).toEqual({ changes: [], problems: [] });
    expect(counts.device.same).toBe(2);
  });

  test("with names twice, formulas, quotes, lines, and every value set", () => {
    const location = { lon: -122.5, address: '=1 Elm St; "rear"', lat: 37.25 };
    const here = {
      areas: [
        anArea("elm", { location }),
        anArea("elm2", { active: false }),
        anArea("f", { name: "'=cmd" }),
        anArea("g", { name: "elm park" }),
      ],
      hubs: [
        aHub("hub"),
        aHub("hub2"),
        aHub("hub3", { notes: "two\nlines, and more", connection_mode: "local", ip_address: null }),
      ],
      devices: [
        aDevice("a", { cloud_device_id: "d88b01", local_ref: "#1" }),
        aDevice("b", { cloud_device_id: "d88b01", local_ref: "#2", dept_id: "sports" }),
        aDevice("c", { cloud_device_id: "d88b01", local_ref: "#2", dept_id: "sports" }),
        aDevice("d", { on_payload: '{"state":"open"}', off_payload: "-1", model: "+X", notes: "@home" }),
        aDevice("e"),
        aDevice("f"),
      ],
      departments: DEPARTMENTS,
    };
    const { changes, problems } = planOf(inventoryFile(here), here);
    expect({ changes, problems }).toEqual({ changes: [], problems: [] });
  });
});

describe("what is exported changes nothing in another order of its rows", () => {
  const sorted = (here: Partial<Here>) => {
    const [header = "", ...lines] = inventoryFile({ ...HERE, ...here }).split("\r\n");
    return [header, ...lines.toReversed()].join("\r\n");
  };

  test("of two lights that are alike but for the Cloud ID of one", () => {
    const devices = [aDevice("a", { cloud_device_id: "d88b01" }), aDevice("b")];
    expect(changesOf(sorted({ devices }), { devices })).toEqual([]);
  });

  test("of two lights of one name, one of them at one of two hubs of one name", () => {
    const hubs = [aHub("hub"), aHub("hub2", { port: 8080 })];
    const devices = [aDevice("a", { hub_id: null, hub_name: null }), aDevice("b", { hub_id: "hub2" })];
    expect(changesOf(sorted({ hubs, devices }), { hubs, devices })).toEqual([]);
  });
});

test.each(["areas", "hubs", "devices"] as const)("every value of %s that has a column is in the file", (kind) => {
  const { location, ...input }: Record<string, unknown> = { location: null, ...INPUTS[kind] };
  const here = {
    ...HERE,
    areas: [anArea("elm", kind === "areas" ? { ...INPUTS.areas, type: "river" } : {})],
    hubs: [aHub("hub", kind === "hubs" ? { ...INPUTS.hubs, connection_mode: "local" } : {})],
    devices: kind === "devices" ? [aDevice("a", INPUTS.devices)] : [],
  };
  const table = readTable(inventoryFile(here));
  const cells = table.ok ? table.rows.flatMap(({ cells: own }) => Object.values(own)) : [];
  const values = [...Object.values(input), ...Object.values(location ?? {})].map(String);
  expect(values.filter((value) => !cells.includes(value))).toEqual([]);
});

test.each([
  ["areas", "areas", anArea("elm", { name: INPUTS.areas.name })],
  ["hubs", "hubs", aHub("hub", { name: INPUTS.hubs.name })],
  ["devices", "devices", aDevice("gate", { name: INPUTS.devices.name })],
] as const)("every value of %s that is in the file is taken from it", (_, kind, before) => {
  const file = inventoryFile({
    areas: [],
    hubs: [],
    devices: [],
    departments: [],
    [kind]: [{ ...before, ...INPUTS[kind] }],
  });
  const { changes, problems } = planOf(file, { [kind]: [before] });
  expect(problems).toEqual([]);
  expect(changes.map(({ details }) => details.after)).toMatchObject([INPUTS[kind]]);
});

test("the template is a whole small city", () => {
  expect(planOf(templateFile()).problems).toEqual([]);
  expect(planOf(templateFile()).changes).toHaveLength(3);
});

describe("who a row is about", () => {
  test.each([
    ["an area by its name", "Kind,Name,Type\narea,Elm Park,river", ["2 area update elm Type"]],
    ["an area in another case, which it then has", "Kind,Name\narea, elm  PARK", ["2 area update elm Name"]],
    ["a hub by its area and name", "Kind,Name,Area,Port\nhub,Hub 1,North Field,99", ["2 hub update field-hub Port"]],
    [
      "a hub of the same name elsewhere is another one",
      "Kind,Name,Area\narea,Weir,\nhub,Hub 1,Weir",
      ["2 area create new-1", "3 hub create new-2"],
    ],
    [
      "a light by its Cloud ID, wherever it was",
      "Kind,Name,Area,Hub,Cloud ID\ndevice,Goal light,North Field,Hub 1,D88B01",
      ["2 device update gate Name Area Hub Cloud ID"],
    ],
    [
      "a light without one by area and name",
      "Kind,Name,Area,Model\ndevice,Court light,Elm Park,M1",
      ["2 device update court Model"],
    ],
    [
      "a light without one in another area is another one",
      "Kind,Name,Area\ndevice,Court light,North Field",
      ["2 device create new-1"],
    ],
    [
      "a new Cloud ID goes to the light of that name that has none",
      "Kind,Name,Area,Cloud ID\ndevice,Court light,Elm Park,d88b02",
      ["2 device update court Cloud ID"],
    ],
    [
      "a new Cloud ID beside a light that has another is a new light",
      "Kind,Name,Area,Cloud ID\ndevice,Gate light,Elm Park,d88b02",
      ["2 device create new-1"],
    ],
    ["an empty Cloud ID takes none away", "Kind,Name,Area,Cloud ID\ndevice,Gate light,Elm Park,", []],
    [
      "two sockets of one Cloud ID",
      "Kind,Name,Area,Cloud ID,Local reference\ndevice,A,Elm Park,d88b07,#1\ndevice,B,Elm Park,d88b07,#2",
      ["2 device create new-1", "3 device create new-2"],
    ],
  ])("%s", (_name, text, expected) => {
    expect(changesOf(text)).toEqual(expected);
  });

  test("a column that the file lacks stays, an empty cell empties", () => {
    const here = { devices: [aDevice("gate", { notes: "by the gate", model: "M1", dept_id: "sports" })] };
    expect(changesOf("Kind,Name,Area,Notes\ndevice,Gate light,Elm Park,", here)).toEqual([
      "2 device update gate Notes",
    ]);
    expect(changesOf("Kind,Name,Area,Hub,Department\ndevice,Gate light,Elm Park,,", here)).toEqual([
      "2 device update gate Hub Department",
    ]);
  });

  test("an area keeps the part of its location that the file lacks", () => {
    const here = { areas: [anArea("elm", { location: { address: "1 Elm St", lat: 1, lon: 2 } })] };
    const { changes } = planOf("Kind,Name,Address\narea,Elm Park,2 Elm St", here);
    expect(changes[0]?.details.after["location"]).toEqual({ address: "2 Elm St", lat: 1, lon: 2 });
  });

  test("a hub that is pointed elsewhere says that its credentials go", () => {
    const here = { hubs: [aHub("hub", { has_local_credentials: true })] };
    const { changes } = planOf("Kind,Name,Area,IP address\nhub,Hub 1,Elm Park,10.0.0.2", here);
    expect(changes[0]?.fields).toEqual(["IP address", "stored credentials (removed)"]);
    expect(changes[0]?.details.after).toMatchObject({ has_local_credentials: false, local_credentials: "removed" });
  });
});

describe("each bad row has a sentence: its number, the column, what is wrong, what would be right", () => {
  test.each([
    ["Kind,Name\nlamp,Elm", '2 Kind: "lamp" is no kind. Write one of: area, hub, device.'],
    ["Kind,Name\n,Elm", "2 Kind: It is empty. Write one of: area, hub, device."],
    ["Kind,Name\narea,", "2 Name: Area name is required"],
    [
      `Kind,Name\narea,${"x".repeat(121)}`,
      `2 Name: Area name may have at most 120 characters (it says "${"x".repeat(40)}...")`,
    ],
    [
      "Kind,Name\narea,Elm\u202ePark",
      '2 Name: Area name may not contain control characters, text-direction overrides or broken characters (it says "Elm\ufffdPark")',
    ],
    [
      "Kind,Name,Type\narea,Elm,prak",
      '2 Type: Area type must be one of: park, field, river, path, other (it says "prak")',
    ],
    ["Kind,Name,Active\narea,Elm,maybe", '2 Active: Active must be yes or no (it says "maybe")'],
    [
      "Kind,Name,Latitude,Longitude\narea,Elm,37.7,",
      "2 Longitude: Latitude and Longitude belong together: fill both, or none.",
    ],
    [
      "Kind,Name,Latitude,Longitude\narea,Elm,97,north",
      '2 Latitude: Latitude must be a number from -90 to 90 (it says "97")',
    ],
    ["Kind,Name,Port\narea,Elm,80", "2 Port: An area has no Port. Leave this cell empty."],
    [
      "Kind,Name\narea,Elm,west",
      "2 null: It has more cells than the header. Put a text with commas or semicolons into quotation marks.",
    ],
    ["Kind,Name\narea,Elm\narea,ELM", "3 Name: Row 2 is about the same area. Take one of the two out."],
    ["Kind,Name,Area\nhub,H,", "2 Area: It is empty. Write the name of the area."],
    [
      "Kind,Name,Area\nhub,H,Weir",
      '2 Area: There is no area "Weir", neither here nor in this file. Correct the name, or add a row of the kind area for it.',
    ],
    [
      "Kind,Name,Area,IP address\nhub,H,Elm Park,10.0.0.300",
      '2 IP address: Please enter a valid IP address (it says "10.0.0.300")',
    ],
    [
      "Kind,Name,Area,Port\nhub,H,Elm Park,http",
      '2 Port: The port must be a whole number from 1 to 65535 (it says "http")',
    ],
    [
      "Kind,Name,Area,Port\nhub,H,Elm Park,70000",
      '2 Port: The port must be a whole number from 1 to 65535 (it says "70000")',
    ],
    [
      "Kind,Name,Area,Connection mode\nhub,H,Elm Park,wifi",
      '2 Connection mode: Connection mode must be one of: local, cloud, hybrid (it says "wifi")',
    ],
    [
      "Kind,Name,Area,Hub\ndevice,L,Elm Park,Hub 9",
      '2 Hub: The area "Elm Park" has no hub "Hub 9", neither here nor in this file. Correct the name, add a row of the kind hub for it, or leave it empty.',
    ],
    [
      "Kind,Name,Area,Department\ndevice,L,Elm Park,Docks",
      '2 Department: There is no department "Docks". Write one of: Sports, Rivers; or leave it empty.',
    ],
    [
      "Kind,Name,Area,Department\ndevice,L,Elm Park,Rivers",
      '2 Department: You may only read in the department "Rivers".',
    ],
    [
      "Kind,Name,Area,Cloud ID\ndevice,L,Elm Park,1.23E+15",
      '2 Cloud ID: The spreadsheet took it for a number. Format the column as text and enter the IDs again (it says "1.23E+15")',
    ],
    [
      "Kind,Name,Area,Cloud ID\ndevice,A,Elm Park,d88b09\ndevice,B,Elm Park,d88b09",
      "3 Cloud ID: Row 2 has this Cloud ID, too. Two lights share one only as different sockets, told by the Local reference: #2 and #4, for example.",
    ],
    [
      "Kind,Name,Area,Cloud ID\ndevice,Gate light,North Field,d88b01",
      "2 Area: The light's hub is in another area. Add the column Hub, with a hub of this area or nothing.",
    ],
  ])("%j", (text, sentence) => {
    expect(problemsOf(text)).toContain(sentence);
  });

  test.each([
    ["two lights that are here", "device,Gate,Elm Park,d88b09,\ndevice,Court,Elm Park,D88B09,", "3 Cloud ID: Row 2"],
    [
      "one that is here and a new one",
      "device,Gate,Elm Park,d88b09,\ndevice,New,Elm Park,d88b09,",
      "3 Cloud ID: Row 2",
    ],
    ["one that the file leaves alone", "device,Pier,Elm Park,d88b05,#1", "2 Cloud ID: A light that is here"],
  ])("%s do not get one socket", (_, rows, says) => {
    const devices = [
      aDevice("gate", { name: "Gate" }),
      aDevice("court", { name: "Court" }),
      aDevice("weir", { name: "Weir", cloud_device_id: "d88b05", local_ref: "#1" }),
      aDevice("pier", { name: "Pier", cloud_device_id: "d88b05", local_ref: "#2" }),
    ];
    const problems = problemsOf(`Kind,Name,Area,Cloud ID,Local reference\n${rows}`, { devices });
    expect(problems).toEqual([expect.stringMatching(`^${says} has this Cloud ID, too`)]);
  });

  test.each([
    ["references that name no socket", "d88b0c,gate-light", "d88b0c,court-light"],
    ["one that names all sockets", "d88b0c,", "d88b0c,#1"],
    ["one socket written in two ways", "d88b0c,#2", "d88b0c,#0x02"],
    ["sockets that overlap", "d88b0c,#1", "d88b0c,#3"],
    ["the socket behind the Cloud ID", "d88b0c#1,", "d88b0c,#1"],
    ["what is no number of sockets", "d88b0c,#one", "d88b0c,#2"],
  ])("two lights do not get one socket: %s", (_name, one, two) => {
    const rows = `Kind,Name,Area,Cloud ID,Local reference\ndevice,L1,Elm Park,${one}\ndevice,L2,Elm Park,${two}`;
    expect(problemsOf(rows)).toEqual([expect.stringMatching("^3 Cloud ID: Row 2 has this Cloud ID, too")]);
  });

  test.each([
    ["sockets that only the ON payloads name", "", '{""chs"":1}', "", '{""params"":{""chs"":2}}', []],
    ["one socket that both ON payloads name", "#1", '{""chs"":4}', "#2", '{""chs"":4}', [/^3 Cloud ID: Row 2/]],
    ["a payload's socket behind another one's reference", "", '{""chs"":1}', "#1", "", [/^3 Cloud ID: Row 2/]],
  ])("the sockets of a strip are told by its ON payloads, too: %s", (_name, ref, on, other_ref, other_on, problems) => {
    const rows = `device,L1,Elm Park,d88b0c,${ref},"${on}"\ndevice,L2,Elm Park,d88b0c,${other_ref},"${other_on}"`;
    expect(problemsOf(`Kind,Name,Area,Cloud ID,Local reference,ON payload\n${rows}`)).toEqual(
      problems.map((problem) => expect.stringMatching(problem)),
    );
  });

  test("two lights that only their hub knows do not get one ID, and names that are no IDs may be alike", () => {
    const id = "d88b4c0100000001";
    const header = "Kind,Name,Area,Cloud ID,Local reference";
    const says = "Two lights share one only as different sockets, told by the Local reference: #2 and #4, for example.";
    const local = (two: string) => problemsOf(`${header}\ndevice,L1,Elm Park,,${id}\ndevice,L2,Elm Park,${two}`);
    expect(local(`,${id.toUpperCase()}`)).toEqual([`3 Local reference: Row 2 has this Local reference, too. ${says}`]);
    expect(local(`${id},`)).toEqual([`3 Cloud ID: Row 2 has this Cloud ID, too. ${says}`]);
    expect(problemsOf(`${header}\ndevice,L1,Elm Park,,${id}#1\ndevice,L2,Elm Park,,${id}#2`)).toEqual([]);
    expect(problemsOf(`${header}\ndevice,L1,Elm Park,,Pole 1\ndevice,L2,Elm Park,,Pole 1`)).toEqual([]);
  });

  test("a lamp that a hub knows is no second light's, also where the Cloud IDs differ or only one has any", () => {
    const id = "d88b4c0100000001";
    const header = "Kind,Name,Area,Cloud ID,Local reference";
    const copied = (two: string) => problemsOf(`${header}\ndevice,L1,Elm Park,d88b0e,${id}\ndevice,L2,Elm Park,${two}`);
    const refused = [expect.stringMatching("^3 Local reference: Row 2 has this Local reference, too")];
    expect(copied(`d88b0f,${id}`)).toEqual(refused);
    expect(copied(`,${id}`)).toEqual(refused);
    expect(copied(`d88b0e,${id}`)).toEqual([expect.stringMatching("^3 Cloud ID: Row 2 has this Cloud ID, too")]);
    expect(copied(`d88b0f,${id.replace(/1$/, "2")}`)).toEqual([]);
    const devices = [aDevice("lamp", { name: "Lamp", cloud_device_id: "d88b0e", local_ref: id })];
    expect(problemsOf(`${header}\ndevice,Other,Elm Park,d88b0f,${id}`, { devices })).toEqual([
      expect.stringMatching("^2 Local reference: A light that is here has this Local reference, too"),
    ]);
    // What shared a lamp before the file gets a Cloud ID of its own all the same.
    devices.push(aDevice("twin", { name: "Twin", local_ref: id }));
    expect(problemsOf(`${header}\ndevice,Twin,Elm Park,d88b0f,${id}`, { devices })).toEqual([]);
  });

  test("an outlet that is here does not come again as its sockets", () => {
    const devices = [aDevice("strip", { name: "Strip", cloud_device_id: "d88b0d" })];
    const rows = "device,Left,Elm Park,d88b0d,#2\ndevice,Right,Elm Park,d88b0d,#4";
    expect(problemsOf(`Kind,Name,Area,Cloud ID,Local reference\n${rows}`, { devices })).toHaveLength(2);
  });

  test("what a spreadsheet took for a number is no Cloud ID and no Local reference", () => {
    const rows = "Kind,Name,Area,Cloud ID,Local reference\ndevice,L,Elm Park,8.80401E+15,8.80401E+15";
    expect(problemsOf(rows)).toEqual([
      expect.stringMatching("^2 Cloud ID: The spreadsheet took it for a number"),
      expect.stringMatching("^2 Local reference: The spreadsheet took it for a number"),
    ]);
  });

  test("an unknown column before the known ones is named", () => {
    const table = readTable("ID,Kind,Name\n1,area,A");
    expect(table).toMatchObject({ ok: false, sentence: expect.stringMatching(/^The column "ID" is not known/) });
  });

  test("two lights of one Cloud ID may change places, and those that shared a socket before may be edited", () => {
    const socket = (id: string, local_ref: string) => aDevice(id, { name: id, cloud_device_id: "d88b05", local_ref });
    const swap = "Kind,Name,Area,Cloud ID,Local reference\ndevice,a,Elm Park,d88b05,#2\ndevice,b,Elm Park,d88b05,#1";
    expect(changesOf(swap, { devices: [socket("a", "#1"), socket("b", "#2")] })).toHaveLength(2);
    const notes = "Kind,Name,Area,Notes\ndevice,a,Elm Park,North mast";
    expect(changesOf(notes, { devices: [socket("a", "#1"), socket("b", "#1")] })).toHaveLength(1);
  });

  test("a light with schedules by the sun is not moved to where nobody knows the sun, also after this file", () => {
    const here = { sun_schedules: new Map([["gate", 2]]) };
    const moved = "Kind,Name,Area,Hub,Cloud ID,Latitude,Longitude\ndevice,Gate light,North Field,,d88b01,,";
    expect(problemsOf(moved, here)).toEqual([
      "2 Area: 2 schedules go by the sun, and this area has no position. Give the area or the city one first.",
    ]);
    expect(planOf(moved, here).counts.device).toEqual({ create: 0, update: 0, same: 0 });
    expect(problemsOf(`${moved}\narea,North Field,,,,34,-118`, here)).toEqual([]);
    const placed = [anArea("elm"), anArea("field", { name: "North Field", location: { lat: 34, lon: -118 } })];
    expect(problemsOf(moved, { ...here, areas: placed })).toEqual([]);
    expect(problemsOf(`${moved}\narea,North Field,,,,,`, { ...here, areas: placed })).toEqual([
      "2 Area: 2 schedules go by the sun, and this area has no position. Give the area or the city one first.",
    ]);
  });

  test("an area that is wrong itself does not make its hubs and lights wrong", () => {
    expect(problemsOf("Kind,Name,Type,Area\narea,Weir,prak,\nhub,H,,Weir\ndevice,L,,Weir")).toHaveLength(1);
  });

  test("names that several records have are told, where it matters which", () => {
    const areas = [anArea("elm"), anArea("elm2")];
    expect(problemsOf("Kind,Name,Type\narea,Elm Park,river", { areas, hubs: [], devices: [] })).toEqual([
      '2 Name: 2 areas are named "Elm Park". Give each a name of its own first.',
    ]);
    expect(problemsOf("Kind,Name,Area\ndevice,New light,Elm Park", { areas, hubs: [], devices: [] })).toEqual([
      '2 Area: 2 areas are named "Elm Park". Give each a name of its own first.',
    ]);
  });

  test("a light of a department that the person does not see is not taken over", () => {
    const here = { devices: [aDevice("weir", { cloud_device_id: "d88b05", dept_id: "rivers" })] };
    const sees = (dept_id: string | null) => dept_id !== "rivers";
    const [problem] = planOf("Kind,Name,Area,Cloud ID\ndevice,Mine,Elm Park,d88b05", here, sees).problems;
    expect(problem?.sentence).toMatch(/department that is not shown to you/);
    expect(JSON.stringify(problem)).not.toContain("Gate light");
  });
});

test("every field of the three forms has a column, but for a hub's credentials and its agent", () => {
  const fields = [areaInput, hubInput({ loopback: false }), deviceInput].flatMap(({ shape }) => Object.keys(shape));
  const without = fields.filter((field) => columnOfField(field) === undefined);
  expect(without.toSorted()).toEqual(["agent_id", "local_client_id", "local_client_secret"]);
});
