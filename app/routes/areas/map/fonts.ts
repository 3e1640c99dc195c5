/** Text is drawn from the device's own fonts: a style without glyphs fetches none. */
export const FONT = ["system-ui", "sans-serif"];
/** Its weight is read from the first name, which no device has. */
export const BOLD = ["Label SemiBold", ...FONT];
