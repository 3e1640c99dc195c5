/** How far the server's clock, which says `loaded` (epoch ms) now, is ahead of this device's, which may be any; in ms. */
export function serverAhead(loaded: number): number {
  return loaded - Date.now();
}
