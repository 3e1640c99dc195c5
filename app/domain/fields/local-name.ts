const LOCAL_NAME = /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|private|arpa)$/;

/** Whether no public name server knows this name of a host: it is this machine's, or one of a network of its own. */
export function isLocalName(hostname: string): boolean {
  return LOCAL_NAME.test(hostname);
}
