/** 'Firefox on Windows': enough to recognize one's own. What it does not know it calls another browser or device. */
export function browserName(user_agent: string | null): string {
  const [, browser] = BROWSERS.find(([mark]) => user_agent?.includes(mark)) ?? ["", "Another browser"];
  const [, system] = SYSTEMS.find(([mark]) => user_agent?.includes(mark)) ?? ["", "another device"];
  return `${browser} on ${system}`;
}

/** The most particular first: Edge calls itself Chrome, and Chrome Safari. */
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
