/** Says that lights of other departments are hidden, so that a list does not look empty. */
export function hiddenSentence(lights: number): string {
  return lights === 1
    ? "1 light of another department is not shown."
    : `${lights} lights of other departments are not shown.`;
}
