import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';

/** Options every figure shares; widths are in the units of the figure's own view box, which the page scales. */
const shared = {
  style: { fontSize: '12px', fontFamily: 'inherit', background: 'transparent' },
};

/** Decimals that tell the values apart that stand along an axis. */
export function decimalsOfSpan(span: number): number {
  if (span > 20) return 0;
  if (span > 2) return 1;
  return span > 0.2 ? 2 : 3;
}

/**
 * Room for the longest of these labels, in the units of a figure: a digit of the page's fonts is up to 0.65 of its size
 * wide.
 */
export function marginFor(labels: readonly string[]): number {
  return Math.ceil(Math.max(...labels.map((label) => label.length)) * 12 * 0.65) + 4;
}

/** The least and the largest of any number of values. */
export function rangeOf(values: readonly number[]): readonly [least: number, largest: number] {
  let [least, largest] = [Infinity, -Infinity];
  for (const value of values) {
    least = Math.min(least, value);
    largest = Math.max(largest, value);
  }
  return [least, largest];
}

/**
 * Draws a plot on a document of its own and returns the SVG's text. `label` is read out by screen readers. Plot writes
 * paths with three decimals and asks no locale where ticks are formatted by the caller, so the text is the same on
 * every machine.
 */
export function drawPlot(label: string, options: Plot.PlotOptions): string {
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const figure = Plot.plot({ ...shared, ...options, document: document as never, ariaLabel: label });
  figure.setAttribute('role', 'img');
  return figure.outerHTML;
}
