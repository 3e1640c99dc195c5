import { expect, test } from "vitest";
import { ownNetworks } from "#worker/agent/install/own-networks";

const address = (cidr: string) => [
  { address: "", netmask: "", mac: "", internal: false, family: "IPv4" as const, cidr },
];

test("the networks that a computer is on are found, without those of containers and tunnels", () => {
  expect(
    ownNetworks({
      lo: address("127.0.0.1/8"),
      eth0: address("192.168.1.20/24"),
      wlan0: address("10.20.30.40/20"),
      docker0: address("172.17.0.1/16"),
      tun0: address("10.8.0.2/24"),
      eth1: address("203.0.113.9/24"),
    }),
  ).toEqual(["192.168.1.0/24", "10.20.16.0/20"]);
});

test("a computer on no private network may be moved to any of them", () => {
  expect(ownNetworks({ eth0: address("203.0.113.9/24") })).toEqual(["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"]);
});
