import type { RunWords } from '@orchard/contracts';
import { artefactNames } from '@orchard/pipeline';
import { isRefusal } from '@orchard/refusal';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, onTestFailed, test } from 'vitest';
import { specimen, type DataName, type Specimen } from '../cluster/specimens.js';
import { lacks } from '../servers/needed.js';
import { BitRot } from './bit-rot.js';
import { Crew, pauseProcess } from './crew.js';
import { Dice, faultSeed } from './dice.js';
import { clusterBehindProxy, type S3Fault } from './s3-proxy.js';
import { VanishedClients } from './vanished-clients.js';

/** The short form, in CI, is two runs' worth. */
const minutes = Number(process.env.ORCHARD_FAULT_MINUTES ?? 0.4);

/** Seconds that a run is given, whatever happens to it, on a machine that does other things too. */
const patience = 900;

const kinds: readonly [DataName, RunWords][] = [
  ['mushrooms', { preset: 'paper', leaves: 8, rounds: 60 }],
  ['dna', { preset: 'paper', leaves: 16, rounds: 120, select: 'individual' }],
  ['mushrooms', { preset: 'default', leaves: 4, rounds: 100, seed: 3, ordering: 'random' }],
];

describe.skipIf(lacks('redis', 's3'))('all faults mixed', () => {
  const clients = new VanishedClients();
  afterEach(() => clients.close());

  test(
    `for ${minutes} minutes with seed ${faultSeed}: every run ends in its bytes`,
    { tags: 'nightly', timeout: (minutes + 20) * 60_000 },
    async () => {
      const dice = new Dice(100);
      const specimens: Specimen[] = [];
      for (const [data, words] of kinds) specimens.push(await specimen(data, words));
      const { cluster, proxy } = await clusterBehindProxy({
        environment: {
          ORCHARD_CHECKPOINT_SECONDS: '0.05',
          ORCHARD_PORT: '0',
          ORCHARD_MAX_UPLOADS: '2',
          ORCHARD_MAX_SILENCE_SECONDS: '2',
        },
      });
      const requests = new Dice(101);
      const s3: readonly S3Fault[] = ['503', '409', '412', 'lost', 'cut'];
      proxy.fault = ({ method, name }) => {
        if (!requests.chance(2)) return null;
        const fault = requests.pick(s3);
        return (fault === '409' || fault === '412') && (method !== 'PUT' || name === '') ? null : fault;
      };
      const crew = await Crew.start(cluster, dice, ['worker', 'worker', 'worker', 'selector', 'coordinator']);
      const rot = new BitRot(cluster, dice);
      const fired = new Map<string, number>();
      let happened: string[] = [];
      const count = (name: string): void => {
        fired.set(name, (fired.get(name) ?? 0) + 1);
        happened.push(name);
      };
      let one = specimens[0]!;
      let run = '';
      const { life } = cluster.runs;

      /** Each says what it was where that is not its name, or null where there was nothing to do it to. */
      const faults: Readonly<Record<string, () => Promise<unknown>>> = {
        'kill -9': () => crew.replace('SIGKILL'),
        SIGTERM: () => crew.replace('SIGTERM'),
        'stopped past its locks': () => crew.pause(4),
        'a clock an hour ahead': () => crew.setClockAhead(),
        'a worker of the next release': () => crew.joinNextRelease(dice.between(2, 5)),
        'out of memory': async () => expect(await crew.exhaustMemory(dice.between(0.2, 2))).toBe('SIGABRT'),
        'clients that vanish': () => clients.vanish(crew.coordinatorUrl, run),
        'bit rot': async () => {
          const { train, valid } = one.specification;
          const kind = await rot.strike([artefactNames.run(run), ...[train, valid].map(artefactNames.dataset)]);
          if (kind !== null) count(`bit rot in ${kind}`);
        },
        FLUSHALL: () => cluster.command('FLUSHALL'),
        'clients killed': () => cluster.command('CLIENT', 'KILL', 'TYPE', 'normal'),
        'Redis stopped': () => pauseProcess(cluster.redis.pid!, dice.between(1, 5)),
        'Redis out of memory': async () => {
          await cluster.command('CONFIG', 'SET', 'maxmemory', '1');
          await sleep(2_000);
          await cluster.command('CONFIG', 'SET', 'maxmemory', '0');
        },
        'cancelled and resumed': async () => {
          if ((await life.status(run)).state === 'done') return;
          await life.cancel(run).catch(() => undefined);
          await sleep(500);
          await life.resume(run);
        },
        'submitted again': () => submit(),
      };

      const submit = async (): Promise<void> => {
        try {
          run = (await life.submit(one.specification, one.choice)).id;
        } catch (error) {
          // the facts of its data: whoever submits is told
          if (!isRefusal(error, 'damaged-artefact')) throw error;
          rot.expectNamed(error.message);
        }
      };
      /** Uploads the data again and drops what is damaged. @returns what was */
      const heal = async (): Promise<readonly string[]> => {
        await one.register(cluster.store);
        return (await life.repair(run)).dropped;
      };
      /** Follows the run to its end; what has failed of damage, and says so, is mended. */
      const follow = async (): Promise<void> => {
        for (let ends = 0; ; ends++) {
          expect(ends, 'ends of one run').toBeLessThan(50);
          const isEnd = ({ state }: { state: string }): boolean => state === 'done' || state === 'failed';
          const { state, reason } = await cluster.until(run, 'the run has ended', isEnd, patience);
          if (state === 'done') return;
          rot.expectNamed(reason);
          count('failed of bit rot, named, and mended');
          await heal();
        }
      };

      const deadline = Date.now() + minutes * 60_000;
      let finished = 0;
      onTestFailed(() => {
        console.log(`to the last run happened: ${happened.join(', ')}; damaged were: ${[...rot.names].join(', ')}`);
      });
      for (let round = 0; Date.now() < deadline || round === 0; round++) {
        one = specimens[round % specimens.length]!;
        rot.names.clear();
        await one.register(cluster.store);
        await submit();
        let isEnded = false;
        const ended = follow().finally(() => (isEnded = true));
        ended.catch(() => console.log(`a run does not end as it should: ${happened.join(', ')}`));
        while (!isEnded) {
          await sleep(dice.between(500, 2_500));
          const name = dice.pick(Object.keys(faults));
          if (isEnded) break;
          await faults[name]!();
          count(name);
        }
        await ended;
        await expectNothingElseServed(crew.coordinatorUrl, run, one);
        // what was damaged and not needed any more, or damaged when the run had ended
        const dropped = new Set<string>();
        for (let damaged = await heal(); damaged.length > 0; damaged = await heal()) {
          count('mended after the end');
          for (const name of damaged) dropped.add(name);
          await follow();
        }
        expect((await cluster.done(run, patience)).quarantined).toEqual([]);
        await cluster.expectSameBytes(run, one, [...dropped]);
        await expectNothingElseServed(crew.coordinatorUrl, run, one);
        finished++;
        console.log(`run ${finished} ended in its bytes: ${happened.join(', ')}`);
        happened = [];
        // so that the next time it has everything to do again
        await life.remove(run);
        for (let waited = 0; waited < 600 && (await cluster.names(`runs/${run}/`)).length > 0; waited++)
          await sleep(100);
        await sleep(1_500);
      }
      for (const [name, times] of Object.entries(proxy.fired)) if (times > 0) fired.set(`S3: ${name}`, times);
      console.log(`\nfaults, seed ${faultSeed}, ${minutes} minutes`);
      for (const [name, times] of [...fired].sort()) console.log(`${String(times).padStart(7)}  ${name}`);
      console.log(`${String(finished).padStart(7)}  runs ended in their bytes; lost: nothing`);
      expect(fired.size).toBeGreaterThan(3);
    },
  );
});

/** What the coordinator hands out are the right bytes or an error. */
async function expectNothingElseServed(url: string, run: string, { network, summary }: Specimen): Promise<void> {
  for (const [what, bytes] of Object.entries({ network, summary })) {
    const response = await fetch(`${url}/v1/runs/${run}/${what}`, { signal: AbortSignal.timeout(60_000) });
    const body = await response.arrayBuffer().catch(() => null);
    if (response.status !== 200 || body === null) continue;
    expect([what, Buffer.compare(new Uint8Array(body), bytes)]).toEqual([what, 0]);
  }
}
