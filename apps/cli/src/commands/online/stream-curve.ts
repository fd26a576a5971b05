import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lossInHindsight, type OnlineStream } from '@orchard/registry';
import { writeOutput } from '../../output/write-output.js';

/** Nats per row of the rows so far: as they came, and under the best tree and forest of all of them at once. */
interface Point {
  readonly rows: number;
  readonly running: number;
  readonly tree: number;
  readonly forest: number;
}

const head = 'rows,running,tree,forest';

/** How a stream's loss went, in a file beside its state, and the page that draws it. */
export class StreamCurve {
  readonly #curvePath: string;
  readonly #points: Point[];
  readonly reportPath: string;

  private constructor(folder: string, points: Point[]) {
    this.#curvePath = join(folder, 'curve.csv');
    this.reportPath = join(folder, 'report.html');
    this.#points = points;
  }

  /** @param keptRows of the state: what the file has beyond them was learned and lost, and will come again */
  static async open(folder: string, keptRows: number): Promise<StreamCurve> {
    const curve = new StreamCurve(folder, []);
    if (!existsSync(curve.#curvePath)) return curve;
    const [, ...lines] = (await readFile(curve.#curvePath, 'utf8')).trimEnd().split('\n');
    for (const line of lines) {
      const [rows, running, tree, forest] = line.split(',').map(Number) as [number, number, number, number];
      if (rows <= keptRows) curve.#points.push({ rows, running, tree, forest });
    }
    return curve;
  }

  add({ forest }: OnlineStream): void {
    const { rows, loss } = forest.state;
    if (rows === 0 || this.#points.at(-1)?.rows === rows) return;
    this.#points.push({
      rows,
      running: loss / rows,
      tree: lossInHindsight(forest) / rows,
      forest: lossInHindsight(forest, { structure: 'forests' }) / rows,
    });
  }

  async write(): Promise<void> {
    const lines = this.#points.map((point) => Object.values(point).join(','));
    await writeOutput(this.#curvePath, '--out', `${[head, ...lines].join('\n')}\n`);
    await writeOutput(this.reportPath, '--out', await pageOf(this.#points));
  }
}

async function pageOf(points: readonly Point[]): Promise<string> {
  // the drawing library takes longer to load than a short stream to learn
  const { drawCurves, formatCount, formatFigure, renderPage } = await import('@orchard/report');
  const last = points.at(-1)!;
  const x = points.map(({ rows }) => rows);
  const curve = drawCurves(
    'Log-likelihood by rows',
    [
      { x, nats: points.map(({ tree }) => -tree), isBeside: true },
      { x, nats: points.map(({ forest }) => -forest), isBeside: true },
      { x, nats: points.map(({ running }) => -running) },
    ],
    'rows',
    { x: last.rows, nats: -last.running },
  );
  const lines = points.map(({ rows, running, tree, forest }) => {
    const cells = [running, tree, forest].map((nats) => formatFigure(-nats, 4));
    const regret = formatFigure((running - tree) * rows, 1);
    return `<tr><th scope="row">${formatCount(rows)}</th>${[...cells, regret].map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  const heads = ['rows', 'as they came', 'tree in hindsight', 'forest in hindsight', 'nats beyond the tree'];
  const note =
    'Nats per row of all rows so far. As they came: each row judged before it was learned. In hindsight: batch Chow-Liu, ' +
    'the tree that fits these rows best, all of them known, and its forest without the edges that gain less than half the logarithm of the rows for each parameter.';
  return renderPage({
    title: `A stream of ${formatCount(last.rows)} rows`,
    lead: `${formatFigure(-last.running, 4)} nats per row as they came.`,
    sections: [
      `<section><h2>The log-likelihood so far</h2><p class="note">${note}</p>` +
        `<div class="key"><span><i></i>as they came</span><span><i class="train"></i>tree and forest in hindsight</span></div>` +
        `<figure class="plot-figure">${curve}</figure>` +
        `<div class="scroll"><table><thead><tr>${heads.map((name) => `<th scope="col">${name}</th>`).join('')}</tr></thead><tbody>${lines.join('')}</tbody></table></div></section>`,
    ],
  });
}
