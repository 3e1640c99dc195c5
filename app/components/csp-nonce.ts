import { createContext, useContext } from "react";

/** The nonce of this response's Content-Security-Policy. Undefined in the browser, which hides nonces from scripts. */
export const CspNonce = createContext<string | undefined>(undefined);

export const useCspNonce = () => useContext(CspNonce);
