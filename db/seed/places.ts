import type { departments, organizations } from "#db/schema";
import type { AreaType } from "#domain/enums";

export const PARKS = "demo-parks";
export const HARBOR = "demo-harbor";
export const SPORTS = "demo-dept-sports";
export const RIVERS = "demo-dept-rivers";
export const QUAYS = "demo-dept-quays";

/** The departments of the two organizations: 'city parks' has two, the harbor one. */
export const DEPARTMENTS: (typeof departments.$inferInsert)[] = [
  { id: SPORTS, org_id: PARKS, name: "Sports Fields" },
  { id: RIVERS, org_id: PARKS, name: "Rivers and Paths" },
  { id: QUAYS, org_id: HARBOR, name: "Quays" },
];

export const ORGANIZATIONS: (typeof organizations.$inferInsert)[] = [
  { id: PARKS, name: "Brightwater City Parks" },
  { id: HARBOR, name: "Brightwater Harbor" },
];

type Place = {
  id: string;
  org_id: string;
  dept_id?: string;
  name: string;
  type: AreaType;
  address?: string;
  at: [lat: number, lon: number];
  active?: false;
  hubs: string[];
  lights: string[];
};

/** An invented city on an invented river. Lights without a hub use the cloud. */
export const PLACES: Place[] = [
  {
    id: "linden",
    org_id: PARKS,
    name: "Linden Park",
    type: "park",
    address: "200 Linden Avenue",
    at: [44.6361, -123.0871],
    hubs: ["Bandstand hub", "Rose garden hub", "Courts hub"],
    lights: [
      "Bandstand",
      "Rose garden",
      "Playground north",
      "Playground south",
      "Tennis court 1",
      "Tennis court 2",
      "Fountain ring",
      "East gate",
      "West gate",
    ],
  },
  {
    id: "observatory",
    org_id: PARKS,
    name: "Observatory Hill",
    type: "park",
    address: "1 Observatory Drive",
    at: [44.6498, -123.1127],
    hubs: ["Summit hub", "Car park hub"],
    lights: ["Summit terrace", "Switchback stairs", "Upper car park", "Lower car park", "Picnic lawn"],
  },
  {
    id: "cannery",
    org_id: PARKS,
    name: "Cannery Green",
    type: "park",
    at: [44.6312, -123.0764],
    active: false,
    hubs: ["Cannery hub"],
    lights: ["Old loading dock", "Green west", "Green east"],
  },
  {
    id: "alder",
    org_id: PARKS,
    dept_id: SPORTS,
    name: "Alder Field",
    type: "field",
    address: "88 Alder Road",
    at: [44.6245, -123.0993],
    hubs: ["Pitch A hub", "Pitch B hub"],
    lights: [
      "Pitch A north mast",
      "Pitch A south mast",
      "Pitch B north mast",
      "Pitch B south mast",
      "Running track",
      "Long jump",
      "Clubhouse",
      "Alder car park",
    ],
  },
  {
    id: "eastbank",
    org_id: PARKS,
    dept_id: SPORTS,
    name: "Eastbank Diamonds",
    type: "field",
    address: "415 Eastbank Street",
    at: [44.6287, -123.0648],
    hubs: ["Diamond 1 hub", "Diamond 2 hub"],
    lights: [
      "Diamond 1 infield",
      "Diamond 1 outfield",
      "Diamond 2 infield",
      "Diamond 2 outfield",
      "Batting cage",
      "Stands",
    ],
  },
  {
    id: "miller",
    org_id: PARKS,
    dept_id: RIVERS,
    name: "Miller River Walk",
    type: "river",
    at: [44.6334, -123.0702],
    hubs: ["Weir hub", "Footbridge hub"],
    lights: ["Weir steps", "Footbridge", "Boathouse", "Willow bend", "Fishing deck", "North landing"],
  },
  {
    id: "viaduct",
    org_id: PARKS,
    dept_id: RIVERS,
    name: "Viaduct Path",
    type: "path",
    at: [44.6279, -123.0817],
    hubs: ["Viaduct hub"],
    lights: ["Underpass", "Viaduct east", "Viaduct west", "Bike counter"],
  },
  {
    id: "orchard",
    org_id: PARKS,
    dept_id: RIVERS,
    name: "Orchard Path",
    type: "path",
    at: [44.6402, -123.0949],
    hubs: ["Orchard hub"],
    lights: ["Orchard lower", "Orchard middle", "Orchard upper"],
  },
  {
    id: "plaza",
    org_id: PARKS,
    name: "Civic Plaza",
    type: "other",
    address: "1 Civic Plaza",
    at: [44.6351, -123.0788],
    hubs: ["Plaza hub", "Clock tower hub"],
    lights: ["Market stalls", "Clock tower", "Council steps", "Tram stop", "Plaza trees"],
  },
  {
    id: "pier",
    org_id: HARBOR,
    name: "North Pier",
    type: "other",
    address: "North Pier",
    at: [44.6581, -123.0522],
    hubs: ["Pier head hub", "Ferry hub"],
    lights: ["Ferry ramp", "Ticket hall", "Pier head", "Crane apron", "Waiting shelter"],
  },
  {
    id: "quay",
    org_id: HARBOR,
    dept_id: QUAYS,
    name: "Quay Path",
    type: "path",
    at: [44.6566, -123.0561],
    hubs: ["Quay hub"],
    lights: ["Quay 1", "Quay 2", "Quay 3", "Slipway"],
  },
  {
    id: "lighthouse",
    org_id: HARBOR,
    name: "Lighthouse Green",
    type: "park",
    at: [44.6604, -123.0497],
    hubs: ["Lighthouse hub"],
    lights: ["Lighthouse lawn", "Keeper's walk"],
  },
];

export function orgOf(place: string): string {
  return PLACES.find(({ id }) => id === place)?.org_id ?? PARKS;
}

export function lampId(place: string, name: string): string {
  return `demo-light-${place}-${name.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;
}

export function hubId(place: string, nth: number): string {
  return `demo-hub-${place}-${nth + 1}`;
}
