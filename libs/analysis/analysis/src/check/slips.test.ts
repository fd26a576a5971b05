import type { CategoricalVariable } from '@orchard/contracts';
import { expect, it } from 'vitest';
import { isLike, isSlipOf, rareLabels } from './slips.js';

it.each([
  ['heart attaxk', 'heart attack'],
  ['heartxattack', 'heart attack'],
  ['acuxe care hospixals', 'acute care hospitals'],
  ['birmigham', 'birmingham'],
  ['Heart Attack', 'heart attack'],
])('%s is a slip of %s', (text, label) => {
  expect(isSlipOf(text, label)).toBe(true);
});

it.each([
  ['ak', 'al'],
  ['inactive', 'active'],
  ['female', 'male'],
  ['unregistered', 'registered'],
  ['hall B', 'hall A'],
  ['phase III', 'phase II'],
  ['building 7', 'building 8'],
  ['building 1', 'building 10'],
])('%s is no slip of %s', (text, label) => {
  expect(isSlipOf(text, label)).toBe(false);
});

it('a letter may stand for a digit, a digit not for another', () => {
  expect([isLike('528x3', '52803'), isLike('52813', '52803')]).toEqual([true, false]);
  expect([isLike('7 patients', '12 patients'), isLike('1x patients', '12 patients')]).toEqual([false, true]);
});

const column = (counts: Record<string, number>): CategoricalVariable => ({
  ...{ kind: 'categorical', name: 'town', holes: 0, others: 0 },
  ...{ labels: Object.keys(counts), counts: Object.values(counts) },
});

it('labels that come once are usual where many do, but for what looks like the label that is expected', () => {
  const towns = { birmingham: 60, huntsville: 30, ...Object.fromEntries([...'abcdefgh'].map((one) => [one, 1])) };
  const { surpriseOf } = rareLabels(column(towns))!;
  const natsOf = (text: string): number => surpriseOf(20, { code: 2, isKnown: false, text: () => text, likeliest: 0 });
  expect(natsOf('selma')).toBeCloseTo(Math.log(99 / 9));
  expect(natsOf('birmingxxm')).toBe(20);
  expect(surpriseOf(20, { code: 2, isKnown: true, text: () => 'selma', likeliest: 0 })).toBe(20);
});

it('a label that comes several times is a slip of one that is ten times as frequent', () => {
  const { isSlip } = rareLabels(column({ birmingham: 60, birmxngham: 6, birmingxam: 7 }))!;
  expect([isSlip(1, 0), isSlip(2, 0), isSlip(0, 1)]).toEqual([true, false, false]);
});

it('what the rest of the row does not tell is a slip of the commonest label that it may be one of', () => {
  const { slipOf } = rareLabels(
    column({ 'Bäckerei Huber': 80, 'Müller GmbH': 70, 'Möller GmbH': 30, 'Müler GmbH': 1 }),
  )!;
  const slips = ['Müler GmbH', 'Mller GmbH', 'Möller GmbH', 'Huber'].map((text) => slipOf(text));
  expect(slips).toEqual(['Müller GmbH', 'Müller GmbH', null, null]);
});
