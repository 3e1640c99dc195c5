/** Makes the compiler count the cases of a switch; reached only where a type lied. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${String(value)}`);
}
