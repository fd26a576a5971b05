import { escapeHtml } from '../text.js';

/** One line of an outline: a node, below its parent and further to the right. */
export interface OutlineLine {
  readonly label: string;
  /** The line of its parent, above it; null of a root. */
  readonly parent: number | null;
  /** What stands in grey behind the label. @default nothing */
  readonly note?: string;
}

const LINE = 18;
const WIDTH = 760;
/** What labels are left at least, at the right of the deepest node. */
const LABEL = 260;
const STEP = 20;

/** Trees with a line for each node, which deep and wide ones fit on: children below their parent, in their order. */
export function drawOutline(lines: readonly OutlineLine[], title: string): string {
  const depths: number[] = [];
  for (const { parent } of lines) depths.push(parent === null ? 0 : depths[parent]! + 1);
  const deepest = depths.reduce((most, depth) => Math.max(most, depth), 0);
  const step = deepest === 0 ? STEP : Math.min(STEP, (WIDTH - LABEL) / deepest);
  const x = (line: number): number => round(8 + step * depths[line]!);
  const y = (line: number): number => LINE * line + LINE / 2;
  const edges = lines.flatMap(({ parent }, line) =>
    parent === null ? [] : [`M${String(x(parent))} ${String(y(parent))}V${String(y(line))}H${String(x(line))}`],
  );
  const nodes = lines.map(
    ({ label, note = '' }, line) =>
      `<circle cx="${String(x(line))}" cy="${String(y(line))}" r="3.5" fill="var(--accent)"/>` +
      `<text x="${String(x(line) + 8)}" y="${String(y(line) + 4)}">${escapeHtml(label)}` +
      `${note === '' ? '' : `<tspan dx="8" fill="var(--muted)">${escapeHtml(note)}</tspan>`}</text>`,
  );
  const size = `viewBox="0 0 ${String(WIDTH)} ${String(LINE * lines.length)}"`;
  return (
    `<svg role="img" aria-label="${escapeHtml(title)}" ${size} font-size="12" fill="var(--ink)">` +
    `<path d="${edges.join('')}" fill="none" stroke="var(--noise)"/>${nodes.join('')}</svg>`
  );
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
