/** Makes the compiler check that a switch covers every case; reached only if a type is wrong. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${String(value)}`);
}
