import { DEAD_LAMP } from "#db/seed/broken";
import type { Listed } from "./provider";

/**
 * What the simulated hub account lists: lights that nobody has added yet, one that the demo city has, and what every real
 * account has besides, a hub and a valve.
 */
export const MOCK_ACCOUNT: Listed[] = [
  { id: "d88b4c0200000001", name: "Pier lamp 1", type: "Switch", model: "YS5706-UC" },
  { id: "d88b4c0200000002", name: "Pier lamp 2", type: "Switch", model: "YS5706-UC" },
  { id: "d88b4c0200000003", name: "Pier lamp 3", type: "Switch", model: "YS5706-UC" },
  { id: "d88b4c0200000004", name: "Boathouse floodlight", type: "Outlet", model: "YS6604-UC" },
  { id: "d88b4c0200000005", name: "Boathouse string lights", type: "Dimmer", model: "YS5707-UC" },
  { id: "d88b4c0200000006", name: "Market stalls", type: "MultiOutlet", model: "YS6801-UC" },
  { id: DEAD_LAMP, name: "Bike counter", type: "Switch", model: "YS5706-UC" },
  { id: "d88b4c1600000001", name: "Pier hub", type: "Hub", model: "YS1606-UC" },
  { id: "d88b4c0900000001", name: "Rose garden valve", type: "Manipulator", model: "YS4909-UC" },
];
