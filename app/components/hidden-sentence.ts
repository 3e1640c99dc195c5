/** Lights that a person may not see, or has not chosen to, must not read as none. */
export function hiddenSentence(lights: number): string {
  return lights === 1
    ? "1 light of another department is not shown."
    : `${lights} lights of other departments are not shown.`;
}
