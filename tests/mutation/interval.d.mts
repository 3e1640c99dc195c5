export function interval(found: number, n: number): [number, number];
