import type { ObjectStore } from '@orchard/storage';
import { temporaryStore } from '@orchard/storage/testing';
import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import type { AuditRecord } from '../audit/audit-documents.js';
import { auditRecordSchema } from '../audit/audit-documents.js';
import { Housekeeping } from './housekeeping.js';
import { retentionSchema } from './retention-documents.js';

const run = 'a'.repeat(64);
const why = 'it ended more than 30 days ago';
const rules = { keepSeconds: 30 * 86_400, lastOfPerson: null, bytesOfPerson: null };
const noon = Date.parse('2026-11-27T12:34:56Z');
const hours = 3_600_000;

let store: ObjectStore;
let expired: { run: string; why: string }[];
let records: AuditRecord[];
let failure: Error | null;
/** Null where the store is away. */
let ahead: ReadonlyMap<string, { at: number; why: string }> | null;
let asked: number;
beforeEach(async () => {
  store = temporaryStore();
  expired = [{ run, why }];
  records = [];
  failure = null;
  ahead = new Map();
  asked = 0;
});

function housekeeping(settings: { everySeconds?: number } = {}): Housekeeping {
  const retained = {
    expired: () => Promise.resolve(expired),
    ahead: () => {
      asked += 1;
      return ahead === null ? Promise.reject(new Error('the store is away')) : Promise.resolve(ahead);
    },
    remove: async (_rules: unknown, onRemoved: (one: { run: string; why: string }) => Promise<void>) => {
      for (const one of expired.splice(0)) await onRemoved(one);
      if (failure !== null) throw failure;
    },
  };
  const audit = {
    tryWrite: (record: AuditRecord): Promise<void> => {
      records.push(auditRecordSchema.parse(record));
      return Promise.resolve();
    },
  };
  const log = pino({ level: 'silent' });
  return new Housekeeping(
    { store, retained, audit, log },
    { everySeconds: 6 * 3600, rules, unusedDatasetSeconds: null, ...settings },
  );
}

test('of several coordinators one does the work of a period, and what it deletes is written down', async () => {
  const reports = await Promise.all([1, 2, 3].map(() => housekeeping().once(noon)));
  expect(reports.filter((report) => report !== null)).toMatchObject([
    { period: '2026-11-27T12', runs: [{ run, why }], failure: null },
  ]);
  expect(records).toMatchObject([
    { who: { name: 'retention', way: 'schedule' }, route: 'DELETE /v1/runs/{id}', what: { run, why } },
  ]);
  expect(await housekeeping().once(noon + 5 * hours)).toBeNull();
  expect(await housekeeping().once(noon + 6 * hours)).toMatchObject({ period: '2026-11-27T18', runs: [] });
});

test('its status says the rules, the last time, the next, and what would be deleted now', async () => {
  const before = retentionSchema.parse(await housekeeping().status(noon));
  expect(before).toMatchObject({
    rules: { runsDays: 30, runsPerPerson: null },
    everyHours: 6,
    next: '2026-11-27T12:35:56.000Z',
    last: null,
    expired: [{ run, why }],
  });
  await housekeeping().once(noon);
  expect(retentionSchema.parse(await housekeeping().status(noon))).toMatchObject({
    next: '2026-11-27T18:00:00.000Z',
    last: { period: '2026-11-27T12', runs: [{ run, why }] },
    expired: [],
  });
  expect(await housekeeping({ everySeconds: 0 }).status(noon)).toMatchObject({ everyHours: 0, next: null });
});

test('a failure is in the report, with what was deleted before it; ten reports are kept', async () => {
  failure = new Error('the store refuses');
  expect(await housekeeping().once(noon)).toMatchObject({ runs: [{ run }], failure: 'the store refuses' });
  for (let period = 1; period <= 12; period++) await housekeeping().once(noon + 6 * period * hours);
  const names = (await store.list('housekeeping/')).map(({ name }) => name);
  expect(names).toHaveLength(20);
  expect(names[0]).toBe('housekeeping/2026-11-28T06.claim');
});

test('a run is said to go when the schedule comes to it: what is due now in a minute, else in the period after', async () => {
  const later = 'b'.repeat(64);
  ahead = new Map([
    [run, { at: noon, why }],
    [later, { at: noon + hours, why: 'runs are kept for 30 days after their end' }],
  ]);
  const one = housekeeping();
  expect(await one.deletionOf(run, noon)).toEqual({ at: '2026-11-27T12:35:56.000Z', why });
  expect(await one.deletionOf(later, noon)).toMatchObject({ at: '2026-11-27T18:00:00.000Z' });
  expect(await one.deletionOf('c'.repeat(64), noon)).toBeNull();
  expect(asked).toBe(1);
  await one.deletionOf(run, noon + 61_000);
  expect(asked).toBe(2);
  expect(await housekeeping({ everySeconds: 0 }).deletionOf(run, noon)).toBeNull();
});

test('of a store that was away it is asked again', async () => {
  ahead = null;
  const one = housekeeping();
  await expect(one.deletionOf(run, noon)).rejects.toThrow('away');
  ahead = new Map([[run, { at: noon, why }]]);
  expect(await one.deletionOf(run, noon)).toMatchObject({ why });
});

test('by a clock that is hours away from that of the store nothing is removed, and the report says so', async () => {
  const head = store.head.bind(store);
  store.head = async (name) => {
    const entry = await head(name);
    return entry === null ? null : { ...entry, storedAt: entry.storedAt - 40 * 24 * hours };
  };
  const report = await housekeeping().once(noon);
  expect([report?.runs, records]).toEqual([[], []]);
  expect(report?.failure).toContain("57600 minutes ahead of the store's");
  expect(expired).toHaveLength(1);
});
