import { expect, test } from "vitest";
import { webhookWait } from "#domain/messages/webhook-retries";
import { isWebhookUrl } from "#domain/messages/webhook-schema";

const strict = { loopback: false };

test.each([
  "https://hooks.city.gov/lights?key=1",
  "https://hooks.city.gov:8443/",
  "https://93.184.216.34/",
  "https://city.gov./x",
])("%s may be told of alarms", (url) => {
  expect(isWebhookUrl(url, strict)).toBe(true);
});

test.each([
  "http://hooks.city.gov/",
  "ftp://hooks.city.gov/",
  "https://ana:secret@hooks.city.gov/",
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
  "https://100.64.0.1/",
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

test("the demo may post to itself, and to no other private address", () => {
  expect(isWebhookUrl("http://127.0.0.1:9999/hook", { loopback: true })).toBe(true);
  expect(isWebhookUrl("http://10.0.0.1/hook", { loopback: true })).toBe(false);
});

test("tries are spaced out further each time, over more than a day, and then end", () => {
  const waits = [1, 2, 3, 4, 5, 6, 7].map((failures) => webhookWait(failures) ?? 0);
  expect(waits).toEqual(waits.toSorted((a, b) => a - b));
  expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(24 * 3_600_000);
  expect(webhookWait(8)).toBeNull();
});
