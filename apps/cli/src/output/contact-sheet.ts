import type { BitMatrix } from '@orchard/dataset';
import { encode } from 'fast-png';

/** Screen pixels a side of an image's pixel. */
const SCALE = 4;
const PAPER = 250;
const INK = 24;
const BETWEEN = 214;

/** Images in a grid near to square, as a grey PNG: dark ink on light paper. The same images give the same bytes. */
export function drawContactSheet(images: BitMatrix, shape: readonly [number, number]): Uint8Array {
  const [height, width] = shape;
  const across = bestAcross(images.rows, shape);
  const gap = Math.max(2, Math.round(width / 7)) * (SCALE / 2);
  const down = Math.ceil(images.rows / across);
  const sheetWidth = across * (width * SCALE + gap) + gap;
  const sheetHeight = down * (height * SCALE + gap) + gap;
  const data = new Uint8Array(sheetWidth * sheetHeight).fill(BETWEEN);
  for (let image = 0; image < images.rows; image++) {
    const left = gap + (image % across) * (width * SCALE + gap);
    const top = gap + Math.floor(image / across) * (height * SCALE + gap);
    for (let y = 0; y < height * SCALE; y++) {
      const from = (top + y) * sheetWidth + left;
      const pixels = Math.floor(y / SCALE) * width;
      for (let x = 0; x < width * SCALE; x++) {
        data[from + x] = images.get(image, pixels + Math.floor(x / SCALE)) === 1 ? INK : PAPER;
      }
    }
  }
  return encode({ width: sheetWidth, height: sheetHeight, data, channels: 1, depth: 8 });
}

/**
 * Wider than high, like a page on its side, and without a gap in the last line where a near number of columns allows
 * it.
 */
function bestAcross(images: number, [height, width]: readonly [number, number]): number {
  const wanted = Math.max(1, Math.round(Math.sqrt((images * height * 1.6) / width)));
  const near = Array.from({ length: wanted }, (_, at) => [wanted + at, wanted - at]).flat();
  const even = near.find((across) => across >= wanted * 0.75 && across <= wanted * 1.4 && images % across === 0);
  return Math.min(images, even ?? wanted);
}
