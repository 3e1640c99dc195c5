import type { Locator } from "playwright-core";

type Box = { x: number; y: number; width: number; height: number };

/** The colors (red, green, blue) with which an element, or a part of it, is painted, each once. */
export async function colorsIn(element: Locator, part: (whole: Box) => Box = (whole) => whole): Promise<number[][]> {
  await element.scrollIntoViewIfNeeded();
  const page = element.page();
  const whole = (await element.boundingBox()) ?? { x: 0, y: 0, width: 1, height: 1 };
  const png = await page.screenshot({ clip: part(whole) });
  return page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const { width, height } = image;
    const pen = new OffscreenCanvas(width, height).getContext("2d");
    pen?.drawImage(image, 0, 0);
    const pixels = new Uint32Array(pen?.getImageData(0, 0, width, height).data.buffer ?? []);
    return Array.from(new Set(pixels), (pixel) => [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255]);
  }, png.toString("base64"));
}
