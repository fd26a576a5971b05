import {
  AUTO,
  isInformed,
  memberDefaults,
  type InformedKind,
  type MemberOptions,
  type RunWords,
} from '@orchard/contracts';
import { PipelineError, type RunDatasets } from '@orchard/pipeline';

/** Beyond this many columns the counts of all pairs would take more than 64 MiB. */
export const MOST_PAIRED = 4096;

/**
 * The members that words ask for; null where they ask for one network: for one member, say, in no orderings and folds
 * of its own. How many is not part of how they are made: a user who asks for more later has the same ones, and more.
 *
 * @throws PipelineError `bad-request` for folds without rows, and for orderings that do not fit
 */
export function resolveMembers(
  words: RunWords,
  datasets: RunDatasets,
): { readonly options: MemberOptions; readonly count: number } | null {
  const { members, orderings, folds, committee, ordering } = words;
  const isMadeOtherwise = orderings !== undefined || folds !== undefined || committee === true;
  if ((members ?? 1) === 1 && !isMadeOtherwise) return null;
  const { dimensions } = datasets.train;
  const rows = datasets.train.rows + datasets.valid.rows;
  if (ordering !== undefined && ordering !== 'natural') {
    throw refusal(
      'ordering',
      ordering === AUTO ? 'auto' : 'an ordering of one network',
      'the orderings of members',
      'Name them by orderings instead.',
    );
  }
  const isWide = dimensions > MOST_PAIRED;
  const informed = orderings?.find((kind) => isInformed(kind));
  if (informed !== undefined) requireFewPairs(informed, dimensions, 'orderings');
  const dealt = folds ?? Math.min(rows, committee === true ? memberDefaults.committeeFolds : memberDefaults.folds);
  if (dealt > rows) {
    throw refusal('folds', `${dealt} folds of ${rows} rows`, 'at least one row in each', 'Use fewer folds.');
  }
  const options: MemberOptions = {
    orderings: [...(orderings ?? (isWide ? memberDefaults.wideOrderings : memberDefaults.orderings))],
    folds: dealt,
    ...(committee === true && { committee }),
  };
  return { options, count: members ?? orderings?.length ?? (committee === true ? 1 : memberDefaults.members) };
}

/** @throws PipelineError `bad-request` for an ordering that looks at pairs of more columns than are counted */
export function requireFewPairs(kind: InformedKind, dimensions: number, where: string): void {
  if (dimensions <= MOST_PAIRED) return;
  const expected = `at most ${MOST_PAIRED} columns, all pairs of which are counted`;
  throw refusal(where, `${kind} for ${dimensions} columns`, expected, 'Use natural, reversed or random.');
}

function refusal(where: string, got: string, expected: string, remedy: string): PipelineError {
  return new PipelineError('bad-request', { got, expected, where, remedy });
}
