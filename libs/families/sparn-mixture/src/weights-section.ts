import type { DensityModel } from '@orchard/model';
import type { Sparn, SparnTable, SparseWeights } from '@orchard/sparse-network';
import { signed, tableOf } from './report-tables.js';

/** A λ, and how good it is. */
export interface TriedPenalty {
  readonly penalty: number;
  /** Not 0, of all columns. */
  readonly weights: number;
  /** Mean nats of the validation rows. */
  readonly valid: number;
}

/** Columns that are shown, and of each its greatest weights; what is left out is said. */
const COLUMNS = 200;
const WEIGHTS = 8;

/** A network's weights by names of what is predicted and of what predicts. */
interface NamedWeights {
  readonly sparse: SparseWeights;
  readonly outputOf: (output: number) => string;
  readonly predictorOf: (predictor: number) => string;
  readonly explained: string;
}

/**
 * What only these networks have to show: which columns predict which, how strongly, and the λ that the validation rows
 * chose.
 */
export async function weightSections(model: Sparn, tried: readonly TriedPenalty[]): Promise<readonly string[]> {
  const { dimensionLabel } = await import('@orchard/report');
  const { names, shape, sparse } = model;
  const nameOf = (column: number): string => dimensionLabel(column, names, shape);
  const explained = `Log-odds that a column is 1: the intercept, plus a weight where the other column is 1, minus it where that is 0.`;
  return sectionsOf(model, { sparse, outputOf: nameOf, predictorOf: nameOf, explained }, tried);
}

/** The same of a network of a table. */
export function tableWeightSections(model: SparnTable, tried: readonly TriedPenalty[]): Promise<readonly string[]> {
  const { laws, sparse } = model.parts;
  const predictors = laws.flatMap((law) => law.features().map(({ name }) => name));
  const outputs = laws.flatMap((law) => law.outputNames());
  const explained = `Of a number: its mean, in standard deviations from the mean of all rows, by those of other numbers. Of a label or a missing value: a score (of two the log-odds). What is true of a row counts 1, what is not -1.`;
  const named = { sparse, outputOf: (at: number) => outputs[at]!, predictorOf: (at: number) => predictors[at]! };
  return sectionsOf(model, { ...named, explained }, tried);
}

async function sectionsOf(
  { specification }: Pick<DensityModel, 'specification'>,
  { sparse, outputOf, predictorOf, explained }: NamedWeights,
  tried: readonly TriedPenalty[],
): Promise<readonly string[]> {
  const { escapeHtml, formatCount, formatFigure } = await import('@orchard/report');
  const { intercepts, starts, predictors, weights } = sparse;
  const lines = Array.from({ length: Math.min(COLUMNS, intercepts.length) }, (_, column) => {
    const own = Array.from({ length: starts[column + 1]! - starts[column]! }, (_, at) => starts[column]! + at);
    const greatest = own
      .sort((a, b) => Math.abs(weights[b]!) - Math.abs(weights[a]!) || a - b)
      .slice(0, WEIGHTS)
      .map((at) => `${escapeHtml(predictorOf(predictors[at]!))} ${signed(weights[at]!)}`);
    if (own.length > WEIGHTS) greatest.push(`${formatCount(own.length - WEIGHTS)} more`);
    const told = greatest.length === 0 ? 'by none' : greatest.join('; ');
    return `<tr><th scope="row">${escapeHtml(outputOf(column))}</th><td>${signed(intercepts[column]!)}</td><td>${told}</td></tr>`;
  });
  const rest = intercepts.length - lines.length;
  const note = rest > 0 ? `<p class="note">${formatCount(rest)} more columns are left out.</p>` : '';
  const { chosen } = specification as { readonly chosen: number };
  const figures = tried.map(({ penalty, weights: count, valid }) => {
    const head = `${String(penalty)}${penalty === chosen ? ' (chosen)' : ''}`;
    return `<tr><th scope="row">${head}</th><td>${formatCount(count)}</td><td>${formatFigure(valid, 4)}</td></tr>`;
  });
  const ends = [tried[0]!.penalty, tried.at(-1)!.penalty];
  const isAtEnd = tried.length > 1 && ends.includes(chosen);
  const flattered = `The validation rows chose among ${formatCount(tried.length)}, so they flatter it.`;
  const beyond = isAtEnd ? ' It is at the end of what was tried: beyond it may be a better one.' : '';
  return [
    `<section><h2>The weights</h2><p class="note">${explained} The ${String(WEIGHTS)} greatest weights of each column.</p>${tableOf(['column', 'intercept', 'weights'], lines)}${note}</section>`,
    `<section><h2>The penalties tried</h2><p class="note">${flattered}${beyond}</p>${tableOf(['penalty λ', 'weights that are not 0', 'nats per row on the validation rows'], figures)}</section>`,
  ];
}
