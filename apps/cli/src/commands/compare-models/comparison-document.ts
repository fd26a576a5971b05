import { errorDocument, exitCodeOf, ExitCode, messageOf, TaskError, UsageError } from '../../output/errors.js';
import { BITS_PER_NAT, counted } from '../../output/figures.js';
import type { Missing } from './choose-contenders.js';
import type { Contender } from './contenders.js';
import type { Candidate, RankedModel } from '@orchard/analysis';
import type { Comparison } from './show-comparison.js';

/** What a model of the table was made as. */
export interface Entry extends Candidate {
  readonly contender: Contender;
  readonly runId: string;
  readonly path: string | null;
}

/** What `--json` prints. */
export function documentOf(
  judged: readonly RankedModel<Entry>[],
  {
    rows,
    threads,
    missing,
    columns,
  }: {
    readonly rows: Comparison['rows'];
    readonly threads: number;
    readonly missing: readonly Missing[];
    /** Of rows of bits. */
    readonly columns: number | null;
  },
) {
  return {
    rows,
    threads,
    best: judged[0]?.candidate.name ?? null,
    models: judged.map(({ candidate, mean, standardError, difference, differenceError, isWithinNoise }) => ({
      model: candidate.name,
      family: candidate.contender.family.name,
      runId: candidate.runId,
      logLikelihood: mean,
      standardError,
      bits: -mean * BITS_PER_NAT,
      ...(columns === null ? {} : { bitsPerDimension: (-mean * BITS_PER_NAT) / columns }),
      difference,
      differenceStandardError: differenceError,
      isWithinNoise,
      seconds: candidate.seconds,
      isWholeTime: candidate.isWholeTime,
      isExperimental: candidate.isExperimental === true,
      threads: candidate.threads,
      bytes: candidate.bytes,
      answers: {
        likelihood: candidate.isBound === true ? 'lower bound' : 'exact',
        sample: 'exact',
        ...candidate.answers,
      },
      facts: Object.fromEntries(candidate.facts),
      path: candidate.path,
    })),
    missing: missing.map(({ name, error }) => ({ model: name, ...errorDocument(error).error })),
  };
}

/** Some models are not in the table: a failure, or bad input where every one refused the rows. */
export function failureOf(
  missing: readonly Missing[],
  contenders: readonly Contender[],
  document: Readonly<Record<string, unknown>>,
): Error {
  const names = missing.map(({ name }) => name).join(', ');
  const reasons = missing.map(({ name, error }) => `${name}: ${messageOf(error)}`).join(' ');
  const isAll = missing.length === contenders.length;
  if (isAll && missing.every(({ error }) => exitCodeOf(error) === ExitCode.badInput))
    return new UsageError({
      got: `rows that none of the models learns. ${reasons}`,
      expected: 'rows of one of them at least',
      where: '--models',
      remedy:
        'Leave --models out for all that learn such rows; --one-hot, --threshold and --columns make rows of bits of a table.',
    });
  return new TaskError(
    `${counted(missing.length, 'model')} of ${String(contenders.length)} could not be trained: ${names}`,
    document,
  );
}
