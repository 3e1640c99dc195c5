import { expect, test } from "vitest";
import { webhookWait } from "#domain/messages/webhook-retries";
import { isWebhookUrl } from "#domain/messages/webhook-schema";

const strict = { loopback: false };

test.each([
  "https://hooks.city.gov/lights?key=1",
  "https://hooks.city.gov:8443/",
  "https://93.184.216.34/",
  "https://city.gov./x",
  "https://1.2.3.4.city.gov",
  "https://local.city.gov",
  // Beside the ranges that are reached from their own network only.
  "https://8.20.0.1",
  "https://8.168.0.1",
  "https://172.15.0.1",
  "https://172.32.0.1",
  "https://100.63.0.1",
  "https://100.128.0.1",
  "https://203.100.64.1",
])("%s may be told of alarms", (url) => {
  expect(isWebhookUrl(url, strict)).toBe(true);
});

test.each([
  "http://hooks.city.gov/",
  "ftp://hooks.city.gov/",
  "https://ana:secret@hooks.city.gov/",
  "https://ana@hooks.city.gov/",
  "https://:secret@hooks.city.gov/",
  "https://localhost/",
  "https://pager/",
  "https://pager.local/",
  "https://db.internal./",
  "https://127.0.0.1/",
  "https://0x7f.1/",
  "https://2130706433/",
  "https://10.1.2.3/",
  "https://172.16.0.9/",
  "https://192.168.4.20/",
  "https://172.31.255.254/",
  "https://100.64.0.1/",
  "https://100.71.0.1/",
  "https://100.99.0.1/",
  "https://100.101.0.1/",
  "https://100.119.0.1/",
  "https://100.127.255.254/",
  "https://169.254.169.254/latest/meta-data",
  "https://0.0.0.0/",
  "https://[::1]/",
  "https://[::ffff:10.0.0.1]/",
  "https://[fd00::1]/",
  "javascript:alert(1)",
  "hooks.city.gov",
  "",
])("%s is no address for a webhook", (url) => {
  expect(isWebhookUrl(url, strict)).toBe(false);
});

test.each([
  ["http://127.0.0.1:9999/hook", true],
  ["http://localhost/", true],
  ["http://[::1]/", true],
  ["http://10.0.0.1/hook", false],
  ["http://localhost.city.gov/", false],
  ["http://127.0.0.1.city.gov/", false],
  ["http://my-localhost/", false],
  ["http://ana@127.0.0.1/", false],
  ["ws://127.0.0.1/", false],
])("the demo may post to itself, and to no other private address: %s %s", (url, mayPost) => {
  expect(isWebhookUrl(url, { loopback: true })).toBe(mayPost);
});

test("tries are spaced out further each time, over more than a day, and then end", () => {
  const waits = [1, 2, 3, 4, 5, 6, 7].map((failures) => webhookWait(failures) ?? 0);
  expect(waits).toEqual(waits.toSorted((a, b) => a - b));
  expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(24 * 3_600_000);
  expect(webhookWait(8)).toBeNull();
});
