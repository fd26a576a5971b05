import { describe, expect, test } from 'vitest';
import { specimen } from '../cluster/specimens.js';
import { lacks } from '../servers/needed.js';
import { Dice } from './dice.js';
import { clusterBehindProxy, type NamedFault } from './s3-proxy.js';

describe.skipIf(lacks('redis', 's3'))('an object store that fails', () => {
  test('one request in eight answered 503, 409, 412, lost after its commit or cut short: the same bytes', async () => {
    const mushrooms = await specimen('mushrooms', { preset: 'paper', leaves: 8, rounds: 30 });
    const dice = new Dice(4);
    const { cluster, proxy } = await clusterBehindProxy();
    await cluster.crew(2);
    const faults: readonly NamedFault[] = ['503', '409', '412', 'lost', 'cut'];
    proxy.fault = ({ method, name }) => {
      if (!dice.chance(12)) return null;
      const fault = dice.pick(faults);
      // only create-only puts are ever answered so
      return (fault === '409' || fault === '412') && (method !== 'PUT' || name === '') ? null : fault;
    };
    const run = await cluster.submit(mushrooms);
    await cluster.done(run, 240);
    for (const fault of faults) expect({ [fault]: proxy.fired[fault] > 0 }).toEqual({ [fault]: true });
    await cluster.expectSameBytes(run, mushrooms);
  });

  test('an answer that never comes, after the commit', { tags: 'nightly' }, async () => {
    const mushrooms = await specimen('mushrooms', { preset: 'paper', leaves: 8, rounds: 30 });
    const { cluster, proxy } = await clusterBehindProxy();
    await cluster.crew(2);
    let isChosen = false;
    proxy.fault = ({ method, name }) => {
      if (isChosen || method !== 'PUT' || !name.includes('/conditionals/')) return null;
      isChosen = true;
      return 'silent';
    };
    const run = await cluster.submit(mushrooms);
    await cluster.done(run);
    expect(proxy.fired.silent).toBe(1);
    await cluster.expectSameBytes(run, mushrooms);
  });

  test('listings that lag 4 s behind what was put: the same bytes, later', { tags: 'nightly' }, async () => {
    const mushrooms = await specimen('mushrooms', { preset: 'paper', leaves: 8, rounds: 30 });
    const { cluster, proxy } = await clusterBehindProxy({ environment: { ORCHARD_PORT: '0' } });
    proxy.listings.milliseconds = 4000;
    await Promise.all([
      cluster.add('coordinator'),
      cluster.add('selector'),
      cluster.add('worker'),
      cluster.add('worker'),
    ]);
    // the reconciler within the test rests: that of the coordinator sees listings through the proxy
    const run = await cluster.submit(mushrooms);
    const status = await cluster.done(run, 240);
    expect(proxy.listings.left).toBeGreaterThan(0);
    expect(status.quarantined).toEqual([]);
    await cluster.expectSameBytes(run, mushrooms);
  });

  test(
    'away for longer than all attempts of a request: jobs are handed back, and nothing is given up',
    { tags: 'nightly' },
    async () => {
      const mushrooms = await specimen('mushrooms', { preset: 'paper', leaves: 8, rounds: 30 });
      const { cluster, proxy } = await clusterBehindProxy();
      const crew = await cluster.crew(2);
      const run = await cluster.submit(mushrooms);
      await cluster.until(run, 'it trains', ({ stages }) => (stages.train?.done ?? 0) > 5);
      proxy.fault = () => '503';
      const handedBack = (): number =>
        crew.flatMap(({ log }) => log).filter(({ msg }) => String(msg).includes('handed back')).length;
      await cluster.until(run, 'jobs are handed back', () => handedBack() >= 4);
      proxy.fault = () => null;
      const status = await cluster.done(run);
      expect(status.quarantined).toEqual([]);
      await cluster.expectSameBytes(run, mushrooms);
    },
  );
});
