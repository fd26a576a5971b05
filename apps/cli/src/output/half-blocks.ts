import type { BitMatrix } from '@orchard/dataset';

const glyphs = [' ', '▄', '▀', '█'];

/**
 * Images as text, as many side by side as `columns` allow: a character is one pixel wide and two high.
 *
 * @param limit images drawn at most
 */
export function drawHalfBlocks(
  images: BitMatrix,
  shape: readonly [number, number],
  columns: number,
  limit = images.rows,
): string {
  const [height, width] = shape;
  const gap = 2;
  const aside = Math.max(1, Math.floor((columns + gap) / (width + gap)));
  const shown = Math.min(images.rows, limit);
  const strips: string[] = [];
  for (let first = 0; first < shown; first += aside) {
    const row = Array.from({ length: Math.min(aside, shown - first) }, (_, at) => first + at);
    const lines = Array.from({ length: Math.ceil(height / 2) }, (_, line) =>
      row
        .map((image) => drawLine(images, image, line, height, width))
        .join(' '.repeat(gap))
        .trimEnd(),
    );
    strips.push(lines.join('\n'));
  }
  return strips.join('\n\n');
}

function drawLine(images: BitMatrix, image: number, line: number, height: number, width: number): string {
  let text = '';
  for (let x = 0; x < width; x++) {
    const upper = images.get(image, line * 2 * width + x);
    const lower = line * 2 + 1 < height ? images.get(image, (line * 2 + 1) * width + x) : 0;
    text += glyphs[upper * 2 + lower]!;
  }
  return text;
}
