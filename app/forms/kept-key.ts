/** The hint of a key that is set. */
export const KEPT_KEY =
  "Stored encrypted and never shown. Leave it to keep the key, type a new one to replace it, empty it to remove it.";
