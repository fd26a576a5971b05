// Held-out density by table and model, as nats per row that Orchard is ahead of each: an SVG, the same bytes for the
// same figures.
import { writeFileSync } from 'node:fs';
import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';

const colours = `
  svg { color: #1f2328; font-family: system-ui, sans-serif; }
  [aria-label=bar] { fill: #2f7d4f; } [aria-label=rule] { stroke: #9a6700; }
  @media (prefers-color-scheme: dark) { svg { color: #e6edf3; } [aria-label=bar] { fill: #56b37d; } [aria-label=rule] { stroke: #d4a72c; } }`;

/** Writes the picture; a model whose density a limit kept from us has no bar. */
export function writePicture(path, measured) {
  const { document } = parseHTML('<html><body></body></html>');
  const bars = measured.flatMap(({ name, densities }) =>
    Object.entries(densities)
      .filter(([peer, { logDensity }]) => peer !== 'orchard' && logDensity !== undefined)
      .map(([peer, { logDensity }]) => ({
        name: `${name}, ${peer}`,
        ahead: densities.orchard.logDensity - logDensity,
      })),
  );
  const svg = Plot.plot({
    document,
    width: 760,
    height: 60 + 20 * bars.length,
    marginLeft: 220,
    marginRight: 50,
    marginTop: 40,
    style: { background: 'transparent', fontSize: '12px' },
    x: { label: 'nats a held-out row that Orchard is ahead (left of 0: behind)', axis: 'top', grid: true },
    y: { label: null, domain: bars.map(({ name }) => name), padding: 0.25 },
    marks: [
      Plot.barX(bars, { x1: 0, x2: 'ahead', y: 'name', fill: 'currentColor' }),
      Plot.ruleX([0], { strokeDasharray: '4 3' }),
      Plot.text(bars, {
        x: ({ ahead }) => Math.max(0, ahead),
        y: 'name',
        text: ({ ahead }) => ahead.toFixed(2),
        textAnchor: 'start',
        dx: 5,
      }),
    ],
  });
  const style = document.createElement('style');
  style.textContent = colours;
  svg.prepend(style);
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  writeFileSync(path, `${svg.outerHTML}\n`);
}
