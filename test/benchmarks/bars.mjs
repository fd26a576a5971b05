// Named figures as horizontal bars: an SVG that reads on light and dark pages, the same bytes for the same figures.
import { writeFileSync } from 'node:fs';
import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';

const colours = `
  svg { color: #1f2328; font-family: system-ui, sans-serif; }
  [aria-label=bar] { fill: #2f7d4f; } [aria-label=rule] { stroke: #9a6700; }
  @media (prefers-color-scheme: dark) { svg { color: #e6edf3; } [aria-label=bar] { fill: #56b37d; } [aria-label=rule] { stroke: #d4a72c; } }`;

/**
 * @param bars `{ name, value }`, from the top
 * @param from where bars begin
 * @param text what stands beside a bar of that value
 */
export function writeBars(path, bars, { from, text, marginLeft, x }) {
  const { document } = parseHTML('<html><body></body></html>');
  const svg = Plot.plot({
    document,
    width: 760,
    height: 60 + 20 * bars.length,
    marginLeft,
    marginRight: 50,
    marginTop: 40,
    style: { background: 'transparent', fontSize: '12px' },
    x: { axis: 'top', grid: true, ...x },
    y: { label: null, domain: bars.map(({ name }) => name), padding: 0.25 },
    marks: [
      Plot.barX(bars, { x1: from, x2: 'value', y: 'name', fill: 'currentColor' }),
      Plot.ruleX([from], { strokeDasharray: '4 3' }),
      Plot.text(bars, {
        x: ({ value }) => (from === 0 ? Math.max(0, value) : value),
        y: 'name',
        text: ({ value }) => text(value),
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
