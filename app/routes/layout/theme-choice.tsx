import { useRouteLoaderData } from "@remix-run/react";
import { Monitor, Moon, Sun, type IconComponent } from "#app/ui/icons";
import { useState, type FormEvent } from "react";
import type { loader } from "#app/root";
import { writeCookie } from "#app/session/browser-cookie";
import { themeAttribute, themeCookie, themeNamed, THEMES, type Theme } from "#app/session/theme";
import { classes } from "#app/ui/classes";

const CHOICES: Record<Theme, { label: string; icon: IconComponent }> = {
  system: { label: "System", icon: Monitor },
  light: { label: "Light", icon: Sun },
  dark: { label: "Dark", icon: Moon },
};

/** Applies to the page at once; the cookie is for later page loads. */
export function ThemeChoice() {
  const stored = useRouteLoaderData<typeof loader>("root")?.theme ?? "system";
  const [chosen, setChosen] = useState(stored);

  function choose(event: FormEvent<HTMLFormElement>) {
    const { nativeEvent } = event;
    if (!(nativeEvent instanceof SubmitEvent) || !(nativeEvent.submitter instanceof HTMLButtonElement)) return;
    event.preventDefault();
    const theme = themeNamed(nativeEvent.submitter.value);
    setChosen(theme);
    writeCookie(themeCookie(theme));
    const attribute = themeAttribute(theme);
    if (attribute) document.documentElement.dataset.theme = attribute;
    else delete document.documentElement.dataset.theme;
  }

  return (
    <form method="post" action="/theme" onSubmit={choose} className="border-line mb-1 border-b px-1.5 pb-1.5">
      <fieldset className="flex gap-1">
        <legend className="text-ink-faint px-1.5 pb-1 text-xs">Theme</legend>
        {THEMES.map((theme) => (
          <Choice key={theme} theme={theme} isChosen={theme === chosen} />
        ))}
      </fieldset>
    </form>
  );
}

function Choice({ theme, isChosen }: { theme: Theme; isChosen: boolean }) {
  const { label, icon: Icon } = CHOICES[theme];
  return (
    <button
      type="submit"
      name="theme"
      value={theme}
      aria-pressed={isChosen}
      className={classes(
        "flex h-11 flex-1 items-center justify-center gap-1.5 rounded-md text-xs font-medium sm:h-9",
        isChosen ? "bg-brand-soft text-brand-text" : "text-ink-soft hover:bg-sunken",
      )}
    >
      <Icon className="size-4" />
      {label}
    </button>
  );
}
