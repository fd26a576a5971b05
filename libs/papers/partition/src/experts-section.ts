import { writeOnGrid } from '@orchard/dataset';
import { isBound } from '@orchard/model';
import { placeOfGreatest } from '@orchard/numerics';
import type { Experts } from './experts.js';
import { HOW_LOOSE } from './partition-bound.js';
import { TablePartition, type Partition, type PartitionBound } from './partition-model.js';
import type { AnyPartition, Step } from './steps.js';

/** Experts that are shown, of each the columns of its area in a table, and steps; what is left out is said. */
const EXPERTS = 40;
const COLUMNS = 12;
const STEPS = 200;

/** What only this family has to show: its experts with their areas, and how EM went. */
export async function sectionsOf(
  model: AnyPartition,
  steps: readonly Step[],
  chosen: Step,
): Promise<readonly string[]> {
  // the drawing libraries take longer to load than small models to learn
  const { formatCount, formatFigure } = await import('@orchard/report');
  const { experts, shape } = model;
  const { active, count } = experts;
  const order = Array.from(active.keys()).sort((a, b) => active[b]! - active[a]! || a - b);
  const shown = order.slice(0, EXPERTS);
  const rest = count - shown.length;
  const note =
    rest > 0 ? `<p class="note">${formatCount(rest)} experts that take part less often are left out.</p>` : '';
  const drawn =
    shape === null || model instanceof TablePartition
      ? await tableOf(model, shown)
      : await imagesOf(model.experts, shape, shown);
  const kept = steps.length > STEPS ? steps.filter(({ restart }) => restart === chosen.restart) : steps;
  const lines = kept.slice(0, STEPS).map(({ restart, step, explained, valid }) => {
    const isChosen = restart === chosen.restart && step === chosen.step;
    const cells = [formatCount(step), formatFigure(explained, 4), formatFigure(valid, 4)];
    return `<tr><th scope="row">${formatCount(restart)}${isChosen ? ' (chosen)' : ''}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  const cut = steps.length - lines.length;
  const left =
    cut > 0 ? `<p class="note">${formatCount(cut)} more steps, of other restarts or later, are left out.</p>` : '';
  const bound = isBound(model) ? ', at least (a lower bound)' : '';
  const loose = isBound(model) ? ` ${HOW_LOOSE}` : '';
  const head = [
    'restart',
    'step of EM',
    'training rows given their experts, before the step: nats per row',
    `validation rows, after it: nats per row${bound}`,
  ];
  return [
    `<section><h2>The experts</h2>${drawn}${note}</section>`,
    `<section><h2>The steps</h2><p class="note">The validation rows chose among ${formatCount(steps.length)} steps, so they flatter the model.${loose}</p><div class="scroll"><table><thead><tr>${head.map((name) => `<th scope="col">${name}</th>`).join('')}</tr></thead><tbody>${lines.join('')}</tbody></table></div>${left}</section>`,
  ];
}

/**
 * The share of each column that is an expert's where all experts take part as often as they do: e π over the sum of
 * all.
 */
function areaOf({ active, expertise }: Pick<Experts, 'active' | 'expertise'>, expert: number): Float64Array {
  const dimensions = expertise.length / active.length;
  return Float64Array.from({ length: dimensions }, (_, dim) => {
    const whole = active.reduce((sum, p, other) => sum + p * expertise[other * dimensions + dim]!, 0);
    return (active[expert]! * expertise[expert * dimensions + dim]!) / whole;
  });
}

async function imagesOf(experts: Experts, shape: readonly [number, number], shown: readonly number[]): Promise<string> {
  const { formatShare, SHADES, templateImage } = await import('@orchard/report');
  const figures = shown.map((expert) => {
    const { dimensions } = experts;
    const opinions = experts.opinions.subarray(expert * dimensions, (expert + 1) * dimensions);
    const images = [
      templateImage(opinions, shape, 'A template'),
      templateImage(areaOf(experts, expert), shape, 'Its area'),
    ];
    return `<figure class="pair">${images.join('')}<figcaption>${formatShare(experts.active[expert]!)}</figcaption></figure>`;
  });
  return `<p class="note">Of each expert how often it finds each pixel 1, and its area: its part in the expertise for each pixel, by how often experts take part. Both in ${String(SHADES)} shades. Below, how often it takes part.</p><div class="pairs">${figures.join('')}</div>`;
}

/** Of each expert the columns of which it has the greatest part. */
async function tableOf(model: AnyPartition, shown: readonly number[]): Promise<string> {
  const { escapeHtml, formatShare } = await import('@orchard/report');
  const { experts } = model;
  const says = model instanceof TablePartition ? sayingOfVariable(model) : await sayingOfColumn(model);
  const columns = experts.expertise.length / experts.count;
  const most = Math.min(COLUMNS, columns);
  const lines = shown.map((expert) => {
    const area = areaOf(experts, expert);
    const largest = Array.from(area.keys())
      .sort((a, b) => area[b]! - area[a]! || a - b)
      .slice(0, COLUMNS)
      .map((column) => `${escapeHtml(says(expert, column))} (its part ${formatShare(area[column]!)})`);
    return `<tr><th scope="row">${formatShare(experts.active[expert]!)}</th><td>${largest.join('; ')}</td></tr>`;
  });
  return `<p class="note">Of each expert how often it takes part, and the ${String(most)} columns of which it has the greatest part: its expertise over that of all, by how often they take part. Of all columns the file has every figure.</p><div class="scroll"><table><thead><tr><th scope="col">takes part</th><th scope="col">its area</th></tr></thead><tbody>${lines.join('')}</tbody></table></div>`;
}

type Saying = (expert: number, column: number) => string;

async function sayingOfColumn({ experts, names, shape }: Partition | PartitionBound): Promise<Saying> {
  const { dimensionLabel, formatShare } = await import('@orchard/report');
  return (expert, dim) => {
    const opinion = experts.opinions[expert * experts.dimensions + dim]!;
    return `${dimensionLabel(dim, names, shape)}: 1 in ${formatShare(opinion)}`;
  };
}

/** Of numbers their mean and deviation, as they are written; of labels the likeliest. */
function sayingOfVariable({ experts, table }: TablePartition): Saying {
  return (expert, index) => {
    const variable = table.variables[index]!;
    const at = expert * table.variables.length + index;
    if (variable.kind === 'ordered') {
      const mean = writeOnGrid(experts.means[at]!, { format: variable.format });
      const deviation = Math.sqrt(experts.variances[at]!).toPrecision(3);
      return `${variable.name}: ${mean}${variable.format.type === 'number' ? ` ± ${deviation}` : ''}`;
    }
    const shares = experts.sharesOf(expert, index);
    const likeliest = placeOfGreatest(shares);
    return `${variable.name}: ${variable.labels[likeliest] ?? 'missing or another'}`;
  };
}
