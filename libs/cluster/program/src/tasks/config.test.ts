import { pools } from '@orchard/contracts';
import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { readConfig } from './config.js';

const environment = { ORCHARD_STORE: 's3://orchard' };

test('the secrets of the example are refused at the start', () => {
  for (const pool of pools) {
    expect(readConfig(pool, environment).ORCHARD_METRICS_TOKEN).toBeUndefined();
    for (const name of ['AWS_SECRET_ACCESS_KEY', 'ORCHARD_METRICS_TOKEN']) {
      const copied = { ...environment, [name]: 'replace-this-secret-with-one-of-your-own' };
      expect(() => readConfig(pool, copied)).toThrow(name);
    }
  }
});

test('a worker has a thread for each core and a selector one, unless it is said how many', () => {
  expect(readConfig('worker', environment).ORCHARD_THREADS).toBe(availableParallelism());
  expect(readConfig('selector', environment).ORCHARD_THREADS).toBe(1);
  for (const pool of pools) {
    expect(readConfig(pool, { ...environment, ORCHARD_THREADS: '3' }).ORCHARD_THREADS).toBe(3);
    expect(() => readConfig(pool, { ...environment, ORCHARD_THREADS: '0' })).toThrow('a whole number from 1 to 1024');
  }
});
