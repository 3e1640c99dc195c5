/** 'Firefox on Windows', to recognize one's own. Unknown ones are called another browser or device. */
export function browserName(user_agent: string | null): string {
  const [, browser] = BROWSERS.find(([mark]) => user_agent?.includes(mark)) ?? ["", "Another browser"];
  const [, system] = SYSTEMS.find(([mark]) => user_agent?.includes(mark)) ?? ["", "another device"];
  return `${browser} on ${system}`;
}

/** The most specific first: Edge also claims to be Chrome, and Chrome to be Safari. */
const BROWSERS = [
  ["Edg", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["FxiOS/", "Firefox"],
  ["CriOS/", "Chrome"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
  ["curl/", "curl"],
] as const;

const SYSTEMS = [
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Windows", "Windows"],
  ["Mac OS X", "Mac"],
  ["CrOS", "ChromeOS"],
  ["Linux", "Linux"],
] as const;
