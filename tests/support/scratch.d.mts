export function makeScratch(options?: { memory?: string; room_bytes?: number }): Promise<string>;
