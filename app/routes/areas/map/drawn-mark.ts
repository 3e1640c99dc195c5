import { MARK_STATES } from "./area-state";
import { CLUSTERS, MARKS, type Colors } from "./marks";

const SIZES = { mark: 26, cluster: 38 };

type Drawn = { width: number; height: number; data: Uint8ClampedArray; size: number };

/** The picture of a mark ('mark-lit') or of a cluster ('cluster-wrong'), `size` pixels wide on a screen of any density. */
export function drawnMark(name: string, colors: Colors): Drawn | null {
  const [kind, word] = name.split("-");
  const state = MARK_STATES.find((known) => known === word);
  if (state === undefined || (kind !== "mark" && kind !== "cluster")) return null;
  const size = SIZES[kind];
  const pixels = size * Math.max(2, Math.ceil(devicePixelRatio));
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = pixels;
  const pen = canvas.getContext("2d");
  if (!pen) return null;
  // A little room, so that a line on the edge is whole.
  pen.scale(pixels / 26, pixels / 26);
  pen.translate(1, 1);
  pen.lineCap = "round";
  for (const { d, fill, stroke, width = 1, dash = [] } of (kind === "mark" ? MARKS : CLUSTERS)[state]) {
    const path = new Path2D(d);
    pen.setLineDash(dash);
    if (fill) {
      pen.fillStyle = colors[fill];
      // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- a canvas, not an array
      pen.fill(path);
    }
    if (stroke) {
      pen.strokeStyle = colors[stroke];
      pen.lineWidth = width;
      pen.stroke(path);
    }
  }
  const { data } = pen.getImageData(0, 0, pixels, pixels);
  return { width: pixels, height: pixels, data, size };
}
