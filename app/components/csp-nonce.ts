import { createContext, useContext } from "react";

/** The nonce of this answer's Content-Security-Policy; empty in the browser, where attributes hide it anyway. */
export const CspNonce = createContext<string | undefined>(undefined);

export const useCspNonce = () => useContext(CspNonce);
