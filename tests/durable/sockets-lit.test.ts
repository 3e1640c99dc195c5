import { expect, test } from "vitest";
import { socketsLit } from "#durable/providers/sockets-lit";

const ID = "d88b4c0100000001";
const payload = (body: object) => JSON.stringify(body);

test.each([
  ["all where nothing names any", ID, null, null, 255],
  ["those behind the Cloud ID", `${ID}#6`, null, null, 6],
  ["those behind the Local reference before those", `${ID}#6`, "#2", null, 2],
  ["all where what stands there is no number of any", `${ID}#x`, null, null, 255],
  ["all where it is the number of none", `${ID}#0`, null, null, 255],
  ["those that the payload names before those", `${ID}#6`, null, payload({ state: "open", chs: 8 }), 8],
  [
    "the same of a whole message",
    ID,
    null,
    payload({ method: "MultiOutlet.setState", params: { state: "open", chs: 8 } }),
    8,
  ],
  ["those behind the id where the payload names none", `${ID}#6`, null, payload({ state: "open" }), 6],
  ["the same where it names more than there are", `${ID}#6`, null, payload({ state: "open", chs: 256 }), 6],
  ["the same where it names them as a text", `${ID}#6`, null, payload({ state: "open", chs: "8" }), 6],
  ["the same where it cannot be read", `${ID}#6`, null, '{"chs":8', 6],
])("an ON lights %s", (_, cloud_device_id, local_ref, on_payload, sockets) => {
  expect(socketsLit({ cloud_device_id, local_ref, on_payload })).toBe(sockets);
});
