/** How the refusal of a light begins that was added before. By itself, since a screen reads it, too. */
export const HERE_ALREADY = "Here already";
