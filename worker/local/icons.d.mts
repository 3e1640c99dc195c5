export function drawnSprite(): Promise<string>;
