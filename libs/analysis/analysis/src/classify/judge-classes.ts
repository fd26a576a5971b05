import { log } from '@orchard/numerics';
import type { Classified } from './classify-rows.js';

/** How right the classes of rows are whose class is known. */
export interface ClassFigures {
  /** Rows with a class that there is a model of. */
  readonly rows: number;
  readonly errorRate: number;
  /** Mean log P(class | x), nats; -Infinity where a row's class had no probability. */
  readonly logLikelihood: number;
  /** `confusion[own][predicted]`: rows. */
  readonly confusion: readonly (readonly number[])[];
  /** Rows whose class is missing, or is none of those that were trained: these are only predicted. */
  readonly unknown: number;
}

/** @returns null where no row's class is known */
export function judgeClasses(
  labels: readonly (string | null)[],
  classes: readonly string[],
  { probabilities, predicted }: Classified,
): ClassFigures | null {
  const confusion = classes.map(() => classes.map(() => 0));
  let [rows, wrong, nats] = [0, 0, 0];
  labels.forEach((label, row) => {
    const own = label === null ? -1 : classes.indexOf(label);
    if (own < 0) return;
    const taken = predicted[row]!;
    rows++;
    wrong += taken === own ? 0 : 1;
    nats += log(probabilities[row]![own]!);
    confusion[own]![taken]!++;
  });
  if (rows === 0) return null;
  return { rows, errorRate: wrong / rows, logLikelihood: nats / rows, confusion, unknown: labels.length - rows };
}
