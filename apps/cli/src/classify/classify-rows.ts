import { readAsTrained, type RawTable } from '@orchard/dataset';
import { isTabular, scoreFile, type DensityModel } from '@orchard/model';
import { exp, log } from '@orchard/numerics';
import type { DatasetOptions } from '../options/dataset-options.js';
import type { TableWords } from '../options/table-options.js';
import { counted } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';
import { reportNewCells } from '../tables/load-table-rows.js';
import { bitRowsOf, refuseUnusedWords } from './bit-rows.js';
import type { ClassModels } from './class-models.js';

type ClassifyRowsOptions = DatasetOptions & TableWords & { readonly seed: number };

/** Rows times models of which nothing is said while they are scored. */
const ROWS_UNTOLD = 20_000;

/** What a file's rows are taken to be. */
export interface Classified {
  /** Of each row, by class: P(class | x). */
  readonly probabilities: readonly Float64Array[];
  /** The most probable class of each row, by number; of equal ones the earlier. */
  readonly predicted: readonly number[];
}

/**
 * P(class | x) of each row by Bayes' rule: the class's share of the training rows times the row's likelihood under the
 * model of its class. In a table a missing value is a value of its own where training had it, as in `orchard evaluate`.
 */
export async function classifyRows(
  { classes }: ClassModels,
  raw: RawTable,
  options: ClassifyRowsOptions,
  terminal: Terminal,
): Promise<Classified> {
  const scored = await natsOf(
    classes.map(({ model }) => model),
    raw,
    options,
    terminal,
  );
  const all = classes.reduce((sum, { rows }) => sum + rows, 0);
  const priors = classes.map(({ rows }) => log(rows / all));
  const probabilities = Array.from(scored[0]!, (_, row) =>
    posterior(
      priors,
      Float64Array.from(scored, (nats) => nats[row]!),
    ),
  );
  return {
    probabilities,
    predicted: probabilities.map((own) => own.reduce((best, one, index) => (one > own[best]! ? index : best), 0)),
  };
}

/** Of each model the nats of each row. */
async function natsOf(
  models: readonly DensityModel[],
  raw: RawTable,
  options: ClassifyRowsOptions,
  terminal: Terminal,
): Promise<readonly Float64Array[]> {
  const tabular = models.filter(isTabular);
  const scored: Float64Array[] = [];
  if (tabular.length === models.length) {
    for (const model of tabular) {
      const how = { missing: 'value', seed: options.seed, withAnomalies: false } as const;
      const second = await readAsTrained(raw, model.table, { dates: options.dates });
      for (const remark of second.remarks) terminal.remark(remark);
      const { nats, newCells } = await scoreFile(model, second.table, how);
      reportNewCells(newCells, terminal);
      scored.push(nats);
    }
    return scored;
  }
  refuseUnusedWords(options);
  const rows = await bitRowsOf(raw, models[0]!.names!, options);
  for (const [at, model] of models.entries()) {
    if (rows.rows * models.length > ROWS_UNTOLD)
      terminal.note(`orchard: ${counted(rows.rows, 'row')} by model ${String(at + 1)} of ${String(models.length)}`);
    scored.push(model.logLikelihood(rows));
    // a signal is heard between two models
    await new Promise(setImmediate);
  }
  return scored;
}

/** Bayes' rule; where the row is impossible under every model, what is known without it. */
export function posterior(logPriors: readonly number[], logLikelihoods: Float64Array): Float64Array {
  const joint = logLikelihoods.map((nats, index) => nats + logPriors[index]!);
  const most = joint.reduce((greatest, one) => Math.max(greatest, one), -Infinity);
  const shares = most === -Infinity ? Float64Array.from(logPriors, exp) : joint.map((one) => exp(one - most));
  const sum = shares.reduce((total, one) => total + one, 0);
  return shares.map((share) => share / sum);
}
