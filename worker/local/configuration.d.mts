/** Prints a sentence for each malformed setting; throws a UserError if the server cannot work with the secrets. */
export function requireConfiguration(options?: {
  read?: () => Promise<Record<string, unknown>>;
  print?: (line: string) => void;
}): Promise<void>;
