import {
  memberKey,
  membersSummarySchema,
  runIdOf,
  type NetworkChoice,
  type RunProgress,
  type RunWords,
} from '@orchard/contracts';
import { type Mixture } from '@orchard/members';
import { Network } from '@orchard/model';
import { logSumExp } from '@orchard/numerics';
import { artefactNames, likelihoodOf, orderingNames, refold, taskOf, type RunLook } from '@orchard/pipeline';
import {
  contentOf,
  storeThat,
  temporaryStore,
  trainedOn,
  watchedStore,
  type TestRun,
} from '@orchard/pipeline/conformance';
import { entriesBelow, type ObjectStore } from '@orchard/storage';
import { describe, expect, test } from 'vitest';
import { lbarnNames } from '../artefacts/artefacts.js';
import { dependentRows, exampleWords, expectSameTrees, registerExample, trainedExample } from '../example.suite.js';
import { lbarn } from '../lbarn.js';
import { lbarnRun } from '../run/lbarn-run.js';
import { readCurves } from '../selection/select-rounds.js';
import { splitsOf } from '../training/training-data.js';
import { committeeOf } from './committee.js';
import { memberOptions, memberRun, networksOf } from './member-run.js';
import { mix } from './mix.js';

const words: RunWords = { ...exampleWords, orderings: ['chow-liu', 'natural', 'random'], folds: 4 };

/** The example with members, on two threads. */
const mixed = (own: RunWords, options: Parameters<typeof trainedExample>[1] = {}): Promise<TestRun> =>
  trainedExample({ ...words, ...own }, { threads: 2, ...options });

/** Everything stored but mixtures, which go by how many were wanted. */
async function membersIn(store: ObjectStore): Promise<Record<string, string>> {
  const all = Object.entries(await contentOf(store));
  return Object.fromEntries(all.filter(([name]) => !/-m\d+\.(msgpack|json)$/.test(name)));
}

describe('a run with members', () => {
  test('keeps the first ones when more are wanted: six after two train four more, to the bytes of six at once', async () => {
    const first = await mixed({ members: 2 });
    const { store } = first;
    const before = await contentOf(store);
    let written = 0;
    const counting = watchedStore(store, (method, [name]) => {
      if (method === 'put' && String(name).includes('/conditionals/')) written++;
    });
    const more = await mixed({ members: 6 }, { kernel: 'wasm', store: counting });
    expect(more.run.id).toBe(first.run.id);
    expect(written).toBe(4 * 9);
    const after = await contentOf(store);
    for (const [name, hash] of Object.entries(before)) expect(after[name]).toBe(hash);
    const whole = await mixed({ members: 6 });
    expect(Buffer.compare(whole.network, more.network)).toBe(0);
    expect(whole.summary).toEqual(more.summary);
    expect(await membersIn(whole.store)).toEqual(await membersIn(store));
  });

  test('has members that are networks as any run makes them of their rows, ordering and seed', async () => {
    const { store, run, model } = await mixed({ members: 3 });
    const seeds = new Set<number>();
    for (const member of [0, 1, 2]) {
      const view = await memberRun(store, lbarnRun(run), { member, network: null });
      const { train, valid, test } = await splitsOf(store, view);
      const { ordering, seed } = view.specification;
      const own = await splitsOf(store, lbarnRun(run));
      const dealt = refold(own.train, own.valid, { fold: member, folds: 4, seed: exampleWords.seed! });
      expect([train.equals(dealt.train), valid.equals(dealt.valid)]).toEqual([true, true]);
      seeds.add(seed);
      const alone = await trainedOn([train, valid, test!], lbarn, { ...exampleWords, ordering, seed });
      expectSameTrees((model as Mixture).members[member]!, alone.model);
    }
    const orderings = (model as Mixture).members.map((own) => (own as Network).ordering.join());
    expect([new Set(orderings).size, seeds.size]).toEqual([3, 3]);
    expect(orderings[1]).toBe('0,1,2,3,4,5,6,7,8');
  });

  test('tells in its summary what each member is worth and adds', async () => {
    const { store, model, summary, run, choice } = await mixed({ members: 4 });
    const figures = membersSummarySchema.parse(summary);
    const rows = dependentRows(60, 9, 3);
    const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;
    const logs = (model as Mixture).members.map((member) => member.logLikelihood(rows));
    expect(figures.judged).toBe('test');
    expect(figures.members.map(({ ordering, folds }) => [ordering, ...folds])).toEqual([
      ['chow-liu', 0],
      ['natural', 1],
      ['random', 2],
      ['chow-liu', 3],
    ]);
    figures.members.forEach(({ heldOutLogLikelihood, togetherLogLikelihood, weight }, at) => {
      expect(weight).toBe(0.25);
      expect(heldOutLogLikelihood).toBeCloseTo(mean(logs[at]!), 12);
      const first = logs.slice(0, at + 1);
      const together = logs[0]!.map((_, row) => logSumExp(first.map((own) => own[row]!)) - Math.log(at + 1));
      expect(togetherLogLikelihood).toBeCloseTo(mean(together), 12);
    });
    expect(model.likelihoods.test).toBeCloseTo(mean(model.logLikelihood(rows)), 12);
    const page = await lbarn.report(store, run, choice);
    expect(page).toContain('what each adds');
    expect(await lbarn.report(store, run, choice)).toBe(page);
  });

  test.each([false, true])(
    'tells the mean likelihood of its networks as it rises, each on the fold that validates it (committees: %j)',
    async (committee) => {
      const shown: (number | null)[] = [];
      const onProgress = ({ stage, logLikelihood }: RunProgress): void =>
        void (stage === 'train' && shown.push(logLikelihood));
      const options = committee ? { members: 2, committee, folds: 3 } : { members: 3 };
      const { store, run, choice } = await mixed(options, { onProgress });
      const networks = networksOf(memberOptions(lbarnRun(run)), options.members);
      const each = await Promise.all(
        networks.map(async (of) => {
          const view = await memberRun(store, lbarnRun(run), of);
          const { valid } = await splitsOf(store, view);
          const curves = await readCurves(store, view);
          return curves.reduce((sum, own) => sum + Math.max(...own.valid!), 0) / valid.rows;
        }),
      );
      const mean = (values: readonly number[]): number => values.reduce((sum, own) => sum + own, 0) / values.length;
      expect(shown[0]).toBeCloseTo(-9 * Math.LN2, 9);
      expect(shown.at(-1)).toBeCloseTo(mean(each), 9);
      expect(shown.at(-1)).toBeGreaterThan(shown[0]!);

      const lookAt = async (members: number): Promise<RunLook> => ({
        ...{ family: lbarn, run, submittedAt: new Date(0).toISOString(), attempts: new Map(), givenUp: new Set() },
        ...{ entries: await entriesBelow(store, artefactNames.run(run.id)), held: new Map() },
        plan: await lbarn.missing(store, run, [{ ...choice, members }], { withReport: false }),
      });
      const whole = await likelihoodOf(await lookAt(options.members), store, new Map(), 1000);
      const tasks = 9 * networks.length;
      expect(whole).toMatchObject({ read: tasks, stored: tasks, tasks, called: 'conditionals' });
      expect(whole.of).toContain(
        `The mean of ${String(networks.length)} networks, each on the fold of the 180 training`,
      );
      expect(whole.points.at(-1)![1]).toBeCloseTo(mean(each), 9);
      // networks that somebody wanted before are no part of a smaller mixture
      const fewer = await likelihoodOf(await lookAt(1), store, new Map(), 1000);
      const first = networks.filter(({ member }) => member === 0).length;
      expect(fewer).toMatchObject({ read: 9 * first, stored: 9 * first, tasks: 9 * first });
      expect(fewer.points.at(-1)![1]).toBeCloseTo(mean(each.slice(0, first)), 9);

      const work = `train/${memberKey(networks[1]!, '4')}`;
      const { curves } = (await taskOf(await lookAt(options.members), store, work))!;
      const [own] = await readCurves(store, await memberRun(store, lbarnRun(run), networks[1]!), [4]);
      const { valid } = await splitsOf(store, await memberRun(store, lbarnRun(run), networks[1]!));
      expect(curves!.valid).toEqual([...own!.valid!].map((nats) => nats / valid.rows));
    },
  );

  test('that are there do not need their ordering, but the mixture tells of it', async () => {
    const { store, run } = await mixed({ members: 2 });
    const before = await contentOf(store);
    await store.delete(orderingNames.of(run.id, 'chow-liu'));
    await store.delete(lbarnNames.network(run.id, { selection: 'common', refit: true, members: 2 }));
    await mixed({ members: 2 }, { store });
    expect(await contentOf(store)).toEqual(before);
  });
});

describe('a mixture', () => {
  test('that is stored is read for its report, and not mixed again; one that is held is not even read', async () => {
    const { store, run, model, summary, ...made } = await mixed({ members: 2 });
    const choice = made.choice as NetworkChoice;
    const read: string[] = [];
    const noting = storeThat(store, {
      put: (name) => Promise.reject(new Error(`${name} is written`)),
      get: (name, range) => {
        if (name.includes('/networks/')) read.push(name);
        return store.get(name, range);
      },
    });
    const again = await mix(noting, lbarnRun(run), choice);
    expect(read).toEqual([lbarnNames.network(run.id, choice)]);
    expect(again.summary).toEqual(summary);
    expect(Buffer.compare(again.model.toBytes(), model.toBytes())).toBe(0);
    read.length = 0;
    expect((await mix(noting, lbarnRun(run), choice, model)).model).toBe(model);
    expect(read).toEqual([]);
  });

  test('that no file can hold is refused before a member is read, and says how many members can be mixed', async () => {
    const { store, run, ...made } = await mixed({ members: 3 });
    const choice = made.choice as NetworkChoice;
    await store.delete(lbarnNames.summary(run.id, choice));
    const before = await contentOf(store);
    const large = storeThat(store, {
      get: (name, range) =>
        name.includes('/networks/') ? Promise.reject(new Error(`${name} is read`)) : store.get(name, range),
      head: async (name) => {
        const entry = await store.head(name);
        return entry && name.includes('/networks/') ? { ...entry, size: 1.5 * 2 ** 30 } : entry;
      },
    });
    await expect(mix(large, lbarnRun(run), choice)).rejects.toMatchObject({
      code: 'invalid-network',
      message:
        'a mixture of 3 members: got 4831838208 bytes, expected at most 4294967296 (4 GiB), the largest file that can be read again. All networks are kept: ask for fewer members (--members 2), for which nothing is trained again.',
    });
    expect(await contentOf(store)).toEqual(before);
  });
});

test('a committee is the mean of its networks’ log-odds, in each conditional', async () => {
  const { store, model, run } = await mixed({
    orderings: ['random', 'natural'],
    folds: 3,
    committee: true,
    members: 2,
  });
  const choice = { selection: 'common', refit: true } as const;
  const rows = dependentRows(40, 9, 8);
  for (const member of [0, 1]) {
    const networks = await Promise.all(
      [0, 1, 2].map(async (network) =>
        Network.from(await store.get(lbarnNames.network({ id: run.id, of: { member, network } }, choice))),
      ),
    );
    const own = (model as Mixture).members[member] as Network;
    expect(own.ordering).toEqual(networks[0]!.ordering);
    for (let column = 0; column < 9; column++) {
      const odds = networks.map((network) => network.probabilities(rows, column).map((p) => Math.log(p / (1 - p))));
      own.probabilities(rows, column).forEach((p, row) => {
        const meanLogOdds = odds.reduce((sum, each) => sum + each[row]!, 0) / 3;
        // its trees are rounded
        expect(Math.log(p / (1 - p))).toBeCloseTo(meanLogOdds, 3);
      });
    }
    const alone = committeeOf([networks[0]!], networks[0]!);
    expect(alone.logLikelihood(rows)[0]).toBeCloseTo(networks[0]!.logLikelihood(rows)[0]!, 9);
  }
  const keys = Object.keys(await contentOf(store)).filter((name) => name.includes('/conditionals/'));
  expect(keys).toHaveLength(2 * 3 * 9);
  expect(keys.some((name) => name.endsWith(`/${memberKey({ member: 1, network: 2 }, '8')}`))).toBe(true);
});

describe('words about members', () => {
  const asked = async (
    own: RunWords = exampleWords,
    size: { readonly dimensions?: number; readonly rows?: number } = {},
  ) => registerExample(temporaryStore(), { words: own, ...size });

  test('leave a run of one network the run that it was, and say how members are made, not how many', async () => {
    const plain = await asked();
    expect('members' in plain.specification).toBe(false);
    expect(plain.choice).toEqual({ selection: 'common', refit: true });
    expect(await asked({ ...exampleWords, members: 1 })).toEqual(plain);
    const own = await asked({ ...exampleWords, members: 1, folds: 3 });
    expect([own.specification.members?.folds, own.choice.members]).toEqual([3, 1]);
    const [two, nine] = [await asked({ ...exampleWords, members: 2 }), await asked({ ...exampleWords, members: 9 })];
    expect(two.runId).toBe(nine.runId);
    expect(two.runId).not.toBe(plain.runId);
    expect(runIdOf(two.specification)).toBe(two.runId);
    expect([two.choice.members, nine.choice.members]).toEqual([2, 9]);
  });

  test.each<[string, RunWords, RegExp]>([
    ['an ordering of one network', { members: 2, ordering: 'random' }, /orderings/],
    ['more folds than rows', { members: 2, folds: 999 }, /fewer folds/],
  ])('are refused with %s', async (_, own, remedy) => {
    await expect(asked({ ...exampleWords, ...own })).rejects.toMatchObject({
      code: 'bad-request',
      remedy: expect.stringMatching(remedy) as string,
    });
  });

  test('that look at pairs of columns are refused of too many columns, and never chosen for them', async () => {
    const wide = (rows: RunWords) => asked(rows, { dimensions: 4097, rows: 4 });
    await expect(wide({ orderings: ['natural', 'hubs'] })).rejects.toMatchObject({ code: 'bad-request' });
    const { specification } = await wide({ members: 4 });
    expect(specification.members!.orderings).toEqual(['natural', 'reversed', 'random', 'random']);
  });

  test('are no part of a run of one network, nor may a run with members be asked for one', async () => {
    const plain = (await asked()).specification;
    const { specification } = await asked(words);
    const one = { selection: 'common', refit: true };
    expect(() => lbarn.checkWanted!(plain, { ...one, members: 2 })).toThrow(/members/);
    expect(() => lbarn.checkWanted!(specification, one)).toThrow(/members/);
    lbarn.checkWanted!(plain, one);
    lbarn.checkWanted!(specification, { ...one, members: 2 });
    expect(lbarn.wantedName({ ...one, members: 12 })).toBe('common-refit-m12');
  });
});
