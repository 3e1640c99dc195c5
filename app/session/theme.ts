export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const YEAR_SEC = 365 * 86_400;

/** The theme chosen for this browser; in a cookie, so that the first paint has it. */
export function themeOf(request: Request): Theme {
  const chosen = /(?:^|; )theme=(\w+)/.exec(request.headers.get("Cookie") ?? "")?.[1];
  return themeNamed(chosen);
}

export function themeNamed(name: string | null | undefined): Theme {
  return THEMES.find((theme) => theme === name) ?? "system";
}

/** The system theme needs no cookie. */
export function themeCookie(theme: Theme): string {
  return `theme=${theme}; Path=/; Max-Age=${theme === "system" ? 0 : YEAR_SEC}; SameSite=Lax`;
}

/** The attributes of `<html>`. */
export function themeAttribute(theme: Theme): "light" | "dark" | undefined {
  return theme === "system" ? undefined : theme;
}
