/// <reference types="@cloudflare/vitest-pool-workers/types" />

declare namespace Cloudflare {
  // oxlint-disable typescript/consistent-type-definitions, typescript/consistent-type-imports -- an augmented global
  interface Env {
    SIMULATION: {
      seeds: number[];
      days: number;
      lights: number;
      parks: { seeds: number[]; days: number; lights: number };
    };
    HUNT: number;
    TEST_MIGRATIONS: import("@cloudflare/vitest-pool-workers").D1Migration[];
  }
}
