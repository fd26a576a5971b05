/** Shades of a pixel, of either ink. */
export const SHADES = 8;

/**
 * An image in shades of two inks: of each shade one path.
 *
 * @param values of each pixel, row by row: its shade, from -1, all of the second ink, to 1, all of the first
 * @param size of the element on the page, where its container does not set it; CSS pixels
 */
export function templateImage(
  values: Float64Array,
  [height, width]: readonly [number, number],
  label: string,
  size?: number,
): string {
  const paths = new Map<number, string>();
  for (let pixel = 0; pixel < height * width;) {
    const [y, x] = [Math.floor(pixel / width), pixel % width];
    const shade = Math.round(values[pixel]! * SHADES);
    let run = 1;
    while (x + run < width && Math.round(values[pixel + run]! * SHADES) === shade) run++;
    paths.set(shade, `${paths.get(shade) ?? ''}M${String(x)} ${String(y)}h${String(run)}v1h-${String(run)}z`);
    pixel += run;
  }
  const shades = Array.from(paths)
    .filter(([shade]) => shade !== 0)
    .sort(([a], [b]) => a - b)
    .map(([shade, path]) => {
      const ink = shade > 0 ? 'sample' : 'differing';
      return `<path class="${ink}" opacity="${String(Math.abs(shade) / SHADES)}" d="${path}"/>`;
    });
  const scale = size === undefined ? 0 : size / Math.max(height, width);
  const measures =
    size === undefined
      ? ''
      : ` width="${String(Math.round(scale * width))}" height="${String(Math.round(scale * height))}"`;
  return `<svg role="img"${measures} viewBox="0 0 ${String(width)} ${String(height)}" aria-label="${label}"><rect class="frame" width="${String(width)}" height="${String(height)}"/>${shades.join('')}</svg>`;
}
