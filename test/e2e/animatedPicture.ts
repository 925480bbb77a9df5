// Makes one animated picture (GIF) of several screenshots.
import gifenc from 'gifenc';
import { PNG } from 'pngjs';

const WIDTH = 720;
/** The last index of the palette means a pixel that is as before. */
const COLORS = 255;
const UNCHANGED = 255;

export interface Frame {
  readonly png: Buffer;
  readonly milliseconds: number;
}

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and opacity of each pixel. */
  readonly data: Uint8Array;
}

/** Scaled to the width, each pixel the mean of those that it covers. */
function scale({ width, height, data }: Pixels): { readonly height: number; readonly data: Uint8ClampedArray } {
  const factor = width / WIDTH;
  const scaledHeight = Math.floor(height / factor);
  const result = new Uint8ClampedArray(WIDTH * scaledHeight * 4);
  for (let y = 0; y < scaledHeight; y++) {
    const [top, bottom] = [Math.floor(y * factor), Math.ceil((y + 1) * factor)];
    for (let x = 0; x < WIDTH; x++) {
      const [left, right] = [Math.floor(x * factor), Math.ceil((x + 1) * factor)];
      const sum = [0, 0, 0];
      let count = 0;
      for (let row = top; row < Math.min(height, bottom); row++)
        for (let column = left; column < Math.min(width, right); column++, count++)
          for (let channel = 0; channel < 3; channel++)
            sum[channel] = (sum[channel] ?? 0) + (data[(row * width + column) * 4 + channel] ?? 0);
      result.set([...sum.map(value => value / count), 255], (y * WIDTH + x) * 4);
    }
  }
  return { height: scaledHeight, data: result };
}

/** One palette for all frames, and of each frame only what changed: the file is a fraction of whole frames. */
export function createAnimatedPicture(frames: readonly Frame[]): Buffer {
  const scaled = frames.map(({ png }) => scale(PNG.sync.read(png)));
  const sample = new Uint8ClampedArray(
    Buffer.concat(scaled.map(({ data }) => Uint8Array.from(data.filter((_, i) => (i >> 2) % 7 === 0)))),
  );
  const palette = [...gifenc.quantize(sample, COLORS), [0, 0, 0]];
  const encoder = gifenc.GIFEncoder();
  let before: Uint8Array | null = null;
  for (const [index, { height, data }] of scaled.entries()) {
    const pixels = gifenc.applyPalette(data, palette.slice(0, COLORS));
    const changed = pixels.map((color, at) => (before !== null && before[at] === color ? UNCHANGED : color));
    encoder.writeFrame(changed, WIDTH, height, {
      ...{ palette, delay: frames[index]?.milliseconds ?? 0 },
      ...(before !== null && { transparent: true, transparentIndex: UNCHANGED, dispose: 1 }),
    });
    before = pixels;
  }
  encoder.finish();
  return Buffer.from(encoder.bytes());
}
