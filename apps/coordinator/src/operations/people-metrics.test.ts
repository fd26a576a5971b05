import { personOf, type Submitter } from '@orchard/contracts';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { NO_LIMIT } from '../config.js';
import { watchPeople } from './people-metrics.js';

const person = (name: string, subject?: string): Submitter =>
  subject === undefined ? { name, way: 'token' } : { name, way: 'oidc', subject };

test('a scrape shows what the people who use most use, the rest as one series, and what there is a limit of', async () => {
  const many = Array.from({ length: 102 }, (_, at) => person(`p${String(at)}`));
  const use = (submitter: Submitter, runBytes: number) => [
    personOf(submitter),
    { submitter, runs: 1, runBytes, datasetBytes: 1 },
  ];
  const last = {
    people: new Map(many.map((one, at) => use(one, 1000 - at) as [string, never])),
    runs: new Map(),
    at: 0,
  };
  const busy = [person('ann', '1'), person('ann', '2')].map(
    (submitter) => [personOf(submitter), { submitter, openRuns: 2, threads: 3 }] as const,
  );
  const registry = new Registry();
  let asked = 0;
  const within = (): Promise<never> => {
    asked += 1;
    return Promise.reject(new Error('the store is away'));
  };
  watchPeople(
    registry,
    { use: { last, within }, busyPeople: () => new Map(busy) },
    {
      storedBytes: 5000,
      openRuns: NO_LIMIT,
      threads: 8,
    },
  );
  const text = await registry.metrics();
  expect(text).toContain('orchard_person_stored_bytes{person="p0",way="token"} 1001\n');
  expect(text).toContain('orchard_person_stored_bytes{person="others",way="several"} 1801\n');
  expect(text).toContain('orchard_person_open_runs{person="ann",way="oidc"} 4\n');
  expect(text).toContain('orchard_person_threads{person="ann",way="oidc"} 6\n');
  expect(text.match(/^orchard_person_limit.*$/gm)).toEqual([
    'orchard_person_limit{of="stored_bytes"} 5000',
    'orchard_person_limit{of="threads"} 8',
  ]);
  expect(asked).toBe(1);
});
