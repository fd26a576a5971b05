import type { RawTable } from '@orchard/dataset';
import { exp, log } from '@orchard/numerics';
import type { Terminal } from '../output/terminal.js';
import { scoreFile } from '../tables/score-file.js';
import type { ClassModels } from './class-models.js';

/** What a file's rows are taken to be. */
export interface Classified {
  /** Of each row, by class: P(class | x). */
  readonly probabilities: readonly Float64Array[];
  /** The most probable class of each row, by number; of equal ones the earlier. */
  readonly predicted: readonly number[];
}

/**
 * P(class | x) of each row by Bayes' rule: the class's share of the training rows times the row's likelihood under the
 * model of its class. A missing value is a value of its own where training had it, as in `orchard evaluate`.
 */
export async function classifyRows(
  { classes }: ClassModels,
  raw: RawTable,
  seed: number,
  terminal: Terminal,
): Promise<Classified> {
  const scored: Float64Array[] = [];
  for (const { model } of classes) {
    const { nats } = await scoreFile(model, raw, { missing: 'value', seed, withAnomalies: false }, terminal);
    scored.push(nats);
  }
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

/** Bayes' rule; where the row is impossible under every model, what is known without it. */
export function posterior(logPriors: readonly number[], logLikelihoods: Float64Array): Float64Array {
  const joint = logLikelihoods.map((nats, index) => nats + logPriors[index]!);
  const most = joint.reduce((greatest, one) => Math.max(greatest, one), -Infinity);
  const shares = most === -Infinity ? Float64Array.from(logPriors, exp) : joint.map((one) => exp(one - most));
  const sum = shares.reduce((total, one) => total + one, 0);
  return shares.map((share) => share / sum);
}
