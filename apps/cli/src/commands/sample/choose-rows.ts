import { GivenSampler, rowsOfModel, sharesOf, SharesSampler, type RowSource } from '@orchard/analysis';
import type { Texts } from '@orchard/dataset';
import type { RowSampler, RuledRows, TabularModel } from '@orchard/model';
import type { SampleWords } from './sample.js';
import type { SampleDocument } from './sample-document.js';
import { asUsageOf, UsageError } from '../../output/errors.js';
import { firstSaid } from '../../options/flag-of-word.js';
import type { Terminal } from '../../output/terminal.js';
import { givenOf } from './given.js';
import { rulesFor, saidRules, type ModelAtPath } from '../../run-folder/rules.js';
import { saidShares, sharesRemarks } from './shares.js';

export interface SampleOptions extends SampleWords {
  /** The codes of these rows, where others have sampled them. @default they are sampled here */
  readonly codes?: RowSampler;
}

/** Rows that are sampled as the options have it, whatever the model is of. */
export interface ChosenRows extends RowSource {
  /** Other rows instead of some, from a seed of their own, in words. */
  again(seed: number, count: number): Texts;
  /** Of rows that have shares, what they are worth. */
  readonly worth: Pick<SampleDocument, 'pool' | 'effectiveRows'>;
  /** What is said of the rows, when all have come. */
  remarks(): readonly string[];
}

/** @throws UsageError for what the model has not, and for ways to sample that know nothing of each other */
export async function choosing(
  { model, path }: ModelAtPath,
  options: SampleOptions,
  terminal: Terminal,
): Promise<ChosenRows> {
  const { count, seed, first, given = [], shares = [] } = options;
  const restrictions = givenOf(model, given);
  const sourceBy = (own: number, ruled: RuledRows | null): RowSource =>
    given.length === 0 ? rowsOfModel(model, ruled, own, first) : new GivenSampler(model, own, restrictions);
  refuseTogether(options, saidRules(options));
  const byShares = shares.length === 0 ? null : sharesSampler(model, options);
  const ruled = await rulesUnlessAsked(model, path, options, terminal);
  const source = byShares ?? sourceBy(seed, ruled);
  return {
    next: (rows) => (options.codes ?? source).next(rows),
    wordsOf: (codes, firstRow) => source.wordsOf(codes, firstRow),
    again: (own, rows) => {
      const others = sourceBy(own, null);
      return others.wordsOf(others.next(rows), 0);
    },
    worth: byShares === null ? {} : { pool: byShares.pool, effectiveRows: byShares.effectiveRows },
    remarks: () => {
      if (byShares !== null) return sharesRemarks(byShares, model, count);
      return source instanceof GivenSampler ? source.remarks() : [];
    },
  };
}

/** @throws UsageError for ways to sample that know nothing of each other */
function refuseTogether(
  { given, shares, rejectCopies: originals, first }: SampleOptions,
  rules: readonly string[],
): void {
  const said = {
    '--rule': rules.length > 0,
    '--shares': shares !== undefined,
    '--given': given !== undefined,
    '--reject-copies': originals !== undefined,
  };
  const whole = given ?? shares ?? originals;
  if (first > 0 && whole !== undefined)
    throw new UsageError({
      got: '--first beside --given, --shares or --reject-copies',
      expected: 'rows that are sampled by their number',
      where: '--first',
      remedy: 'Leave --first out: such rows depend on those before them.',
    });
  const [one, other] = Object.entries(said).flatMap(([flag, isSaid]) => (isSaid ? [flag] : []));
  if (other === undefined || (one !== '--rule' && one !== '--shares')) return;
  const instead =
    one === '--rule' ? 'say it as a rule: --rule "bike = \'e-bike\'"' : 'give a share of 1: bike=e-bike:1';
  throw new UsageError({
    got: `${one} and ${other}`,
    expected: 'one of them',
    where: one,
    remedy: other === '--given' ? `Leave it out, and ${instead}.` : 'Leave one out.',
  });
}

/** The model under rules; rules that it was trained with are left, with a note, by ways to sample that know none. */
async function rulesUnlessAsked(
  model: TabularModel,
  path: string,
  options: SampleOptions,
  terminal: Terminal,
): Promise<RuledRows | null> {
  const other = firstSaid(options, ['shares', 'given', 'rejectCopies']);
  if (other === null) return (await rulesFor(model, path, options))?.ruled ?? null;
  if (model.table.rules !== undefined && options.rules !== false)
    terminal.note(`orchard: ${other} knows no rules: rows may break those that the model was trained with`);
  return null;
}

/** @throws UsageError for shares that no rows can have */
function sharesSampler(model: TabularModel, options: SampleOptions): SharesSampler {
  const { count, seed, shares = [] } = options;
  try {
    return new SharesSampler(model, sharesOf(model, saidShares(model, shares)), { count, seed });
  } catch (error) {
    throw asUsageOf('--shares', error);
  }
}
