/// <reference types="@cloudflare/vitest-pool-workers/types" />

declare namespace Cloudflare {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface Env {
    // oxlint-disable-next-line typescript/consistent-type-imports -- an import would make this a module
    SIMULATION: { seeds: number[]; days: number; lights: number };
    TEST_MIGRATIONS: import("@cloudflare/vitest-pool-workers").D1Migration[];
  }
}
