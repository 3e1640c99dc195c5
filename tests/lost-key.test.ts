import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seal } from "#db/sealed";
import { withDatabase } from "../worker/local/database.mjs";
import { lostKeyWords } from "../worker/local/lost-key";
import { migrateAtOnce } from "./support/migrate";

const OLD = btoa("o".repeat(32));
const NEW = btoa("n".repeat(32));
const state_dir = mkdtempSync(join(tmpdir(), "lamplighter-lost-key-"));

beforeAll(() => withDatabase(state_dir, migrateAtOnce), 60_000);
afterAll(() => rmSync(state_dir, { recursive: true, force: true }));

test("a start says what was stored under another SETTINGS_KEY, and leaves it as it is", async () => {
  await withDatabase(state_dir, async (d1: D1Database) => {
    expect(await lostKeyWords(d1, NEW)).toBe(null);
    const sealed = await seal("secret", OLD);
    await d1.batch([
      d1.prepare("INSERT INTO organizations (id, name) VALUES ('city', 'City')"),
      d1.prepare("INSERT INTO users (id, email, password_hash) VALUES ('ana', 'ana@city.example', '')"),
      d1.prepare("INSERT INTO areas (id, org_id, name) VALUES ('park', 'city', 'Park')"),
      d1.prepare("INSERT INTO hubs (id, org_id, area_id, name) VALUES ('none', 'city', 'park', 'Without')"),
      ...["north", "south"].map((id) =>
        d1
          .prepare(
            "INSERT INTO hubs (id, org_id, area_id, name, local_client_secret) VALUES (?1, 'city', 'park', ?1, ?2)",
          )
          .bind(id, sealed),
      ),
      d1.prepare("INSERT INTO settings (org_id, key, value) VALUES ('city', 'YOLINK_UAC_KEY', ?1)").bind(`"${sealed}"`),
      d1.prepare("INSERT INTO settings (org_id, key, value) VALUES ('city', 'PROVIDER_MODE', '\"mock\"')"),
      d1
        .prepare(
          "INSERT INTO webhooks (id, org_id, name, url, secret, hint) VALUES ('w', 'city', 'W', 'https://w', ?1, 'x')",
        )
        .bind(await seal("whsec", NEW)),
      d1.prepare("INSERT INTO second_factors (user_id, sealed_secret) VALUES ('ana', ?1)").bind(sealed),
    ]);
    expect(await lostKeyWords(d1, OLD)).toContain("keeps the secret of 1 webhook. They stay as they are");
    expect(await lostKeyWords(d1, NEW)).toContain(
      "keeps 1 key of the settings, the credentials of 2 hubs, 1 authenticator app. They stay as they are",
    );
    expect(await lostKeyWords(d1, "no key")).toBe(null);
    expect(
      await d1.prepare("SELECT local_client_secret FROM hubs WHERE id = 'north'").first("local_client_secret"),
    ).toBe(sealed);
  });
}, 60_000);
