// The ratios as horizontal bars from 1 on, to the left where a library is faster: an SVG that reads on light and dark
// pages, the same bytes for the same figures.
import { writeFileSync } from 'node:fs';
import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';

const colours = `
  svg { color: #1f2328; font-family: system-ui, sans-serif; }
  [aria-label=bar] { fill: #2f7d4f; } [aria-label=rule] { stroke: #9a6700; }
  @media (prefers-color-scheme: dark) { svg { color: #e6edf3; } [aria-label=bar] { fill: #56b37d; } [aria-label=rule] { stroke: #d4a72c; } }`;

/** Writes the picture of the entries that have a ratio. */
export function writePicture(path, { cases, runs }) {
  const { document } = parseHTML('<html><body></body></html>');
  const bars = [...cases, ...runs.map((run) => ({ ...run, name: `${run.name}, whole` }))].filter(
    ({ ratio }) => ratio !== null,
  );
  const ratios = bars.map(({ ratio }) => ratio);
  const [least, most] = [Math.min(1, ...ratios) / 1.1, Math.max(1, ...ratios) * 1.1];
  const svg = Plot.plot({
    document,
    width: 760,
    height: 60 + 20 * bars.length,
    marginLeft: 310,
    marginRight: 50,
    marginTop: 40,
    style: { background: 'transparent', fontSize: '12px' },
    x: {
      label: 'times as fast as the fastest library of equal loss, one thread',
      axis: 'top',
      grid: true,
      // ratios from 2 to 200 stand side by side
      type: 'log',
      ticks: [0.1, 0.3, 1, 3, 10, 30, 100, 300].filter((tick) => least <= tick && tick <= most),
      tickFormat: String,
      domain: [least, most],
    },
    y: { label: null, domain: bars.map(({ name }) => name), padding: 0.25 },
    marks: [
      Plot.barX(bars, { x1: 1, x2: 'ratio', y: 'name', fill: 'currentColor' }),
      Plot.ruleX([1], { strokeDasharray: '4 3' }),
      Plot.text(bars, {
        x: 'ratio',
        y: 'name',
        text: ({ ratio }) => `${ratio.toFixed(1)}x`,
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
