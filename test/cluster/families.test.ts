import { boosted } from '@orchard/boosted';
import { chowLiu } from '@orchard/chow-liu';
import { compositional } from '@orchard/compositional';
import { cutset } from '@orchard/cutset';
import { marginals } from '@orchard/marginals';
import { mixture } from '@orchard/mixture';
import { partition } from '@orchard/partition';
import { sparn } from '@orchard/sparn';
import { tables } from '@orchard/tables';
import { describe, expect, test } from 'vitest';
import { clusterBehindProxy } from '../faults/s3-proxy.js';
import { lacks } from '../servers/needed.js';
import { clusterOfTest } from './cluster.js';
import type { Program } from './programs.js';
import { specimenOf, tableSpecimen, type Specimen } from './specimens.js';

const all = (total: number) => ({ total, done: total });

describe.skipIf(lacks('redis'))('families of many tasks and one that ends them, on a cluster', () => {
  const cases = [
    [
      cutset,
      { components: 12, minRows: 300, weights: 'em', seed: 3 },
      { component: all(12), mix: all(1) },
      'components',
    ],
    // a sequence of two mixtures of two networks: barriers between the steps of EM, and none between its parts
    [sparn, { penalty: '64', components: 2, intervals: 2, steps: 1 }, { share: all(4), part: all(180) }, 'parts'],
    [
      mixture,
      { components: '2,5', pseudoCount: '1,10', restarts: 3, steps: 5 },
      { em: all(12), choose: all(1) },
      'candidates',
    ],
    [compositional, { experts: 4, restarts: 2, steps: 3 }, { em: all(8), choose: all(1) }, 'steps'],
    [boosted, { components: 8, waiting: 8, refits: 2 }, { round: all(8), mix: all(1) }, 'rounds'],
    [partition, { experts: 4, restarts: 3, steps: 3 }, { step: all(9), choose: all(1) }, 'steps'],
  ] as const;
  /** In parts with barriers between steps, and candidates of which one is chosen: the others' tasks go the same ways. */
  const daily: readonly string[] = ['sparn', 'mixture'];
  const [everyTime, nightly] = [true, false].map((wanted) =>
    cases.filter(([{ name }]) => daily.includes(name) === wanted).map((one) => [one[0].name, one] as const),
  );
  const endsInTheSameBytes = async (_: string, given: (typeof cases)[number]): Promise<void> => {
    const [family, words, stages, folder] = given;
    const most = Math.max(...Object.values(stages).map(({ total }) => total));
    const dna = await specimenOf(family, 'dna', words, { [folder]: most });
    const cluster = await clusterOfTest({ store: 'folder' });
    const learned: string[] = [];
    const crew = await cluster.crew(2);
    cluster.queues.onEvent((event) => {
      if (event.kind !== 'completed') return;
      learned.push(event.id);
      if (learned.length === 2) crew.shift()!.kill('SIGKILL');
    });
    const run = await cluster.submit(dna);
    await cluster.until(run, 'two tasks are done', () => learned.length >= 2);
    await cluster.add('worker');
    const status = await cluster.done(run);
    expect(crew).toHaveLength(1);
    expect(status.stages).toMatchObject(stages);
    await cluster.expectSameBytes(run, dna);
  };
  const title = '%s, one of whose workers is killed on the way: the bytes that a laptop makes';
  test.each(everyTime!)(title, endsInTheSameBytes);
  test.each(nightly!)(title, { tags: 'nightly' }, endsInTheSameBytes);
});

describe.skipIf(lacks('redis') || lacks('s3'))('families of one task on a cluster', () => {
  const endsInTheSameBytes = async (name: string, specimenNow: () => Promise<Specimen>): Promise<void> => {
    const specimen = await specimenNow();
    const { cluster, proxy } = await clusterBehindProxy();
    const run = await cluster.submit(specimen);
    expect(await cluster.runs.life.status(run)).toMatchObject({ family: name.split(' ')[0], state: 'counting' });
    const killedAt: string[] = [];
    // a worker may ask for its rows before it is known to have started
    let worker: Promise<Program>;
    const replace = (moment: string): void => {
      killedAt.push(moment);
      worker = worker.then((one) => {
        one.kill('SIGKILL');
        return cluster.add('worker');
      });
    };
    proxy.fault = ({ method, name }) => {
      if (method === 'GET' && name.startsWith('datasets/') && !name.endsWith('.facts') && killedAt.length === 0) {
        replace('reading');
        return 'silent';
      }
      return method === 'PUT' && name.includes('/networks/') && killedAt.length === 1 ? 'lost' : null;
    };
    proxy.onAnswer = ({ method, name }, status) => {
      if (method === 'PUT' && name.includes('/networks/') && status === 200 && killedAt.length === 1)
        replace('storing');
    };
    worker = cluster.crew(1).then(([one]) => one!);
    const { stages, networks } = await cluster.done(run);
    expect(killedAt).toEqual(['reading', 'storing']);
    expect([Object.values(stages), networks]).toMatchObject([[all(1)], [{}]]);
    await cluster.expectSameBytes(run, specimen);
  };
  const title = '%s, whose worker is killed with the task in hand, and again when it is stored: the same bytes';
  test.each([['chow-liu of a table', () => tableSpecimen(chowLiu, { forest: true }, { networks: 1 })]] as const)(
    title,
    endsInTheSameBytes,
  );
  test.each([['marginals', () => specimenOf(marginals, 'mushrooms', {}, { networks: 1 })]] as const)(
    title,
    { tags: 'nightly' },
    endsInTheSameBytes,
  );
});

describe.skipIf(lacks('redis') || lacks('s3'))('a table on a cluster', () => {
  const endsInTheSameBytes = async (
    family: typeof tables | typeof sparn,
    words: Readonly<Record<string, unknown>>,
    tasks: number,
  ): Promise<void> => {
    // the kind that is counted: what learns a variable
    const { kind, folder } = family.kinds.find(({ counted }) => counted !== null)!;
    const specimen = await tableSpecimen(family, words, { [folder]: tasks });
    const { cluster, proxy } = await clusterBehindProxy();
    const crew: Program[] = await cluster.crew(1);
    let kills = 0;
    proxy.fault = ({ method, name }) => {
      if (method !== 'PUT' || !name.includes(`/${folder}/`) || kills > 0) return null;
      kills++;
      crew.pop()!.kill('SIGKILL');
      void cluster.add('worker').then((next) => crew.push(next));
      return 'lost';
    };
    const run = await cluster.submit(specimen);
    const status = await cluster.done(run);
    expect([kills, status.family]).toEqual([1, family.name]);
    expect(status.stages[kind]).toMatchObject({ ...all(tasks), quarantined: 0 });
    await cluster.expectSameBytes(run, specimen);
  };

  test('whose worker is killed as it stores a variable: the bytes that a laptop makes', () =>
    endsInTheSameBytes(tables, { rounds: 20, leaves: 4, members: 1 }, 5));

  test('from lines with three members, likewise', { tags: 'nightly' }, () =>
    endsInTheSameBytes(tables, { rounds: 10, leaves: 'auto', start: 'linear', members: 3, folds: 4 }, 15),
  );

  test('by regressions, likewise', { tags: 'nightly' }, () => endsInTheSameBytes(sparn, { penalty: '8,2' }, 5));
});
