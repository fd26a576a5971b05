import type { RunWords } from '@orchard/contracts';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { Cluster } from '../cluster/cluster.js';
import type { Program } from '../cluster/programs.js';
import { specimen, type DataName, type Specimen } from '../cluster/specimens.js';
import { lacks } from '../servers/needed.js';
import { Dice, faultSeed } from './dice.js';
import { S3Proxy, type S3Fault } from './s3-proxy.js';

/** The short form, in CI, is two runs' worth. */
const minutes = Number(process.env.ORCHARD_FAULT_MINUTES ?? 0.4);

const kinds: readonly [DataName, RunWords][] = [
  ['mushrooms', { preset: 'paper', leaves: 8, rounds: 60 }],
  ['dna', { preset: 'paper', leaves: 16, rounds: 120, select: 'individual' }],
  ['mushrooms', { preset: 'default', leaves: 4, rounds: 100, seed: 3, ordering: 'random' }],
];

describe.skipIf(lacks('redis', 's3'))('all faults mixed', () => {
  let cluster: Cluster;
  let proxy: S3Proxy;
  afterEach(async () => {
    await cluster.stop();
    await proxy.stop();
  });

  test(
    `for ${minutes} minutes with seed ${faultSeed}: every run ends in its bytes`,
    async () => {
      const dice = new Dice(100);
      const specimens: Specimen[] = [];
      for (const [data, words] of kinds) specimens.push(await specimen(data, words));
      cluster = await Cluster.start({
        s3Endpoint: async ({ url }) => (proxy = await S3Proxy.start(url)).url,
        environment: { ORCHARD_CHECKPOINT_SECONDS: '0.05', ORCHARD_PORT: '0' },
      });
      const requests = new Dice(101);
      const s3: readonly S3Fault[] = ['503', '409', '412', 'lost', 'cut'];
      proxy.fault = ({ method, name }) => {
        if (!requests.chance(2)) return null;
        const fault = requests.pick(s3);
        return (fault === '409' || fault === '412') && (method !== 'PUT' || name === '') ? null : fault;
      };
      const crew: Program[] = await Promise.all([
        ...Array.from({ length: 3 }, () => cluster.add('worker')),
        cluster.add('selector'),
        cluster.add('coordinator'),
      ]);
      const fired = new Map<string, number>();
      const replace = async (signal: NodeJS.Signals): Promise<void> => {
        const victim = dice.pick(crew);
        victim.kill(signal);
        await victim.ended;
        crew[crew.indexOf(victim)] = await cluster.add(victim.kind);
      };
      const pause = async (pid: number, seconds: number): Promise<void> => {
        process.kill(pid, 'SIGSTOP');
        await sleep(seconds * 1000);
        process.kill(pid, 'SIGCONT');
      };
      let current = '';
      const faults: Readonly<Record<string, () => Promise<unknown>>> = {
        'kill -9': () => replace('SIGKILL'),
        SIGTERM: () => replace('SIGTERM'),
        'stopped past its locks': () => pause(dice.pick(crew.filter(({ kind }) => kind !== 'coordinator')).pid, 4),
        FLUSHALL: () => cluster.command('FLUSHALL'),
        'clients killed': () => cluster.command('CLIENT', 'KILL', 'TYPE', 'normal'),
        'Redis stopped': () => pause(cluster.redis.pid!, dice.between(1, 5)),
        'Redis out of memory': async () => {
          await cluster.command('CONFIG', 'SET', 'maxmemory', '1');
          await sleep(2_000);
          await cluster.command('CONFIG', 'SET', 'maxmemory', '0');
        },
        'cancelled and resumed': async () => {
          const { state } = await cluster.runs.life.status(current);
          if (state === 'done') return;
          await cluster.runs.life.cancel(current).catch(() => undefined);
          await sleep(500);
          await cluster.runs.life.resume(current);
        },
        'submitted again': () => submit(specimens.find(({ specification }) => idOf(specification) === current)!),
      };
      const ids = new Map<string, string>();
      const idOf = (specification: Specimen['specification']): string => ids.get(JSON.stringify(specification)) ?? '';
      const submit = async (one: Specimen): Promise<string> => {
        const { id } = await cluster.runs.life.submit(one.specification, one.choice);
        ids.set(JSON.stringify(one.specification), id);
        return id;
      };

      const deadline = Date.now() + minutes * 60_000;
      let finished = 0;
      for (let round = 0; Date.now() < deadline || round === 0; round++) {
        const one = specimens[round % specimens.length]!;
        await one.register(cluster.store);
        current = await submit(one);
        let isEnded = false;
        const ended = cluster.done(current, 300).finally(() => (isEnded = true));
        ended.catch(() => undefined);
        while (!isEnded) {
          await sleep(dice.between(500, 2_500));
          const name = dice.pick(Object.keys(faults));
          if (isEnded) break;
          await faults[name]!();
          fired.set(name, (fired.get(name) ?? 0) + 1);
        }
        const { quarantined } = await ended;
        expect(quarantined).toEqual([]);
        await cluster.expectSameBytes(current, one);
        finished++;
        // so that the next time it has everything to do again
        await cluster.runs.life.remove(current);
        for (let waited = 0; waited < 600 && (await cluster.names(`runs/${current}/`)).length > 0; waited++)
          await sleep(100);
        await sleep(1_500);
      }
      for (const [name, count] of Object.entries(proxy.fired)) if (count > 0) fired.set(`S3: ${name}`, count);
      console.log(`\nfaults, seed ${faultSeed}, ${minutes} minutes`);
      for (const [name, count] of [...fired].sort()) console.log(`${String(count).padStart(7)}  ${name}`);
      console.log(`${String(finished).padStart(7)}  runs ended in their bytes; lost: nothing`);
      expect(fired.size).toBeGreaterThan(3);
    },
    (minutes + 12) * 60_000,
  );
});
