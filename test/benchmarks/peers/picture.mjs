import { writeBars } from '../bars.mjs';

/** Writes the ratios as bars from 1 on, to the left where a library is faster; what has no ratio is left out. */
export function writePicture(path, { cases, runs }) {
  const bars = [...cases, ...runs.map((run) => ({ ...run, name: `${run.name}, whole` }))]
    .filter(({ ratio }) => ratio !== null)
    .map(({ name, ratio }) => ({ name, value: ratio }));
  const ratios = bars.map(({ value }) => value);
  const [least, most] = [Math.min(1, ...ratios) / 1.1, Math.max(1, ...ratios) * 1.1];
  writeBars(path, bars, {
    from: 1,
    text: (value) => `${value.toFixed(1)}x`,
    marginLeft: 310,
    x: {
      label: 'times as fast as the fastest library of equal loss, one thread',
      // ratios from 2 to 200 stand side by side
      type: 'log',
      ticks: [0.1, 0.3, 1, 3, 10, 30, 100, 300].filter((tick) => least <= tick && tick <= most),
      tickFormat: String,
      domain: [least, most],
    },
  });
}
