// Makes one animated picture (GIF) of several screenshots.
import { readFile } from 'node:fs/promises';
import gifenc from 'gifenc';
import { PNG } from 'pngjs';

const SIZE = { width: 1_000, height: 640 } as const;
const FRAME_MS = 3_000;
const COLORS = 256;

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and opacity of each pixel. */
  readonly data: Uint8Array;
}

/** Scaled to the width, each pixel the mean of those that it covers; rows below the picture repeat its last one. */
function scale({ width, height, data }: Pixels): Uint8ClampedArray {
  const result = new Uint8ClampedArray(SIZE.width * SIZE.height * 4);
  const factor = width / SIZE.width;
  for (let y = 0; y < SIZE.height; y++) {
    const bottom = Math.min(height, Math.ceil((y + 1) * factor));
    const top = Math.min(bottom - 1, Math.floor(y * factor));
    for (let x = 0; x < SIZE.width; x++) {
      const [left, right] = [Math.floor(x * factor), Math.min(width, Math.ceil((x + 1) * factor))];
      const sum = [0, 0, 0];
      for (let row = top; row < bottom; row++)
        for (let column = left; column < right; column++)
          for (let channel = 0; channel < 3; channel++)
            sum[channel] = (sum[channel] ?? 0) + (data[(row * width + column) * 4 + channel] ?? 0);
      const count = (bottom - top) * (right - left);
      result.set([...sum.map(value => value / count), 255], (y * SIZE.width + x) * 4);
    }
  }
  return result;
}

/** The same bytes for the same screenshots. */
export async function createAnimatedPicture(screenshots: readonly string[]): Promise<Buffer> {
  const encoder = gifenc.GIFEncoder();
  for (const file of screenshots) {
    const pixels = scale(PNG.sync.read(await readFile(file)));
    const palette = gifenc.quantize(pixels, COLORS);
    encoder.writeFrame(gifenc.applyPalette(pixels, palette), SIZE.width, SIZE.height, { palette, delay: FRAME_MS });
  }
  encoder.finish();
  return Buffer.from(encoder.bytes());
}
