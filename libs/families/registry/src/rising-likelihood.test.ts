import { BitMatrix } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import { artefactNames, likelihoodOf, type RunLook } from '@orchard/pipeline';
import { trainedOn } from '@orchard/pipeline/conformance';
import { entriesBelow } from '@orchard/storage';
import { expect, test } from 'vitest';
import { families } from './index.js';

/** Rows in two kinds, of copies of one column or another, with some noise. */
function rows(count: number, seed: number): BitMatrix {
  const stream = new RandomStream(seed, 1031);
  return BitMatrix.fromRows(
    Array.from({ length: count }, () => {
      const [one, other] = [stream.uniform() < 0.5, stream.uniform() < 0.3];
      return Array.from({ length: 6 }, (_, column) =>
        stream.uniform() < 0.1 !== (column % 2 === 0 ? one : other) ? '1' : '0',
      ).join('');
    }),
  );
}

/** A finished run on one thread: what it told on the way, and how whoever looks at it sees it. */
async function trained(name: string, words: Readonly<Record<string, unknown>>) {
  const family = families.named(name);
  const onTheWay: number[] = [];
  const { store, run, choice, model } = await trainedOn([rows(120, 1), rows(120, 2)], family, words, {
    onProgress: ({ logLikelihood }) => void (logLikelihood !== null && onTheWay.push(logLikelihood)),
  });
  const look: RunLook = {
    ...{ family, run, submittedAt: new Date(0).toISOString(), attempts: new Map(), givenUp: new Set() },
    ...{ entries: await entriesBelow(store, artefactNames.run(run.id)), held: new Map() },
    plan: await family.missing(store, run, [choice], { withReport: false }),
  };
  const told = await likelihoodOf(look, store, new Map(), 1000);
  return { store, look, told, onTheWay, valid: model.likelihoods.valid! };
}

test.each([
  ['boosted', { components: 4, waiting: 2 }, 'rounds', 'choose how many are kept'],
  ['mixture', { components: '2,3', pseudoCount: '1,10', steps: 4 }, 'candidates', 'run of EM'],
  ['mixture', { of: 'trees', components: '2,3', pseudoCount: '10', steps: 4 }, 'candidates', 'run of EM'],
  ['compositional', { experts: 3, restarts: 2, steps: 3 }, 'steps', 'step of EM'],
  ['partition', { experts: 3, restarts: 2, steps: 3 }, 'steps', 'among all of them.'],
  ['partition', { experts: 18, restarts: 1, steps: 1 }, 'steps', 'lower bound'],
  ['sparn', { penalty: '4' }, 'columns', 'A column that is missing counts as a fair coin'],
  ['sparn', { components: '2,3', penalty: '8,2', steps: 2 }, 'steps', 'among all of them.'],
] as const)('%s %j tells on the way, and rises to what the model says', async (name, words, called, sentence) => {
  const { store, look, told, onTheWay, valid } = await trained(name, words);
  expect(told).toMatchObject({ called, read: told.stored, tasks: told.stored });
  const values = told.points.map(([, nats]) => nats);
  expect(values.length).toBeGreaterThan(0);
  expect(values.at(-1)).toBeCloseTo(valid, 9);
  // a column may be worth a trifle less than a fair coin
  for (let at = 1; at < values.length; at++) expect(values[at]! - values[at - 1]!).toBeGreaterThan(-1e-3);
  expect(told.of).toMatch(/^Of the 120 validation rows.*\.$/);
  expect(told.of).toContain(sentence);
  // whoever trains tells the same while it does
  expect(onTheWay.length).toBeGreaterThan(0);
  expect(onTheWay.at(-1)).toBeLessThanOrEqual(valid + 1e-9);

  // a task that is not known yet is read, and none twice
  const known = new Map<string, number>();
  const first = await likelihoodOf(look, store, known, 1);
  expect([first.read, known.size]).toEqual([1, 1]);
  const [key] = known.keys();
  known.set(key!, -1e6);
  expect((await likelihoodOf(look, store, known, 1)).read).toBe(Math.min(2, told.stored));
  expect(known.get(key!)).toBe(-1e6);
});

test('of several penalties each column counts at its own best one, which is no less than what one for all gives', async () => {
  const { told, valid } = await trained('sparn', { penalty: '30,1' });
  expect(told.points.at(-1)![1]).toBeGreaterThanOrEqual(valid - 1e-9);
  expect(told.of).toContain('before one is chosen for all; one that is missing counts as a fair coin.');
});

test('where mixtures are tried beside one network, it is of their steps, and says where the figure of the one is', async () => {
  const { told } = await trained('sparn', { components: '1,2', penalty: '0.5', steps: 1 });
  expect(told).toMatchObject({ called: 'steps', read: 2, stored: 2, tasks: 2 });
  expect(told.points).toHaveLength(1);
  expect(told.of).toContain('One network alone is tried too: what it is worth is in the summary.');
});

test.each(['marginals', 'chow-liu', 'cutset'])('%s tells nothing before it is done, and says so', async (name) => {
  const { told, onTheWay } = await trained(name, {});
  expect(told).toMatchObject({ of: null, points: [], called: null });
  expect(onTheWay).toEqual([]);
});
