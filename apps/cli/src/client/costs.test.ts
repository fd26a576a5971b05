import { expect, test } from 'vitest';
import { costTables } from './costs.js';
import type { RunOverview } from './documents.js';

const submittedAt = '2026-01-01T00:00:00.000Z';
const run = (digit: string, more: Partial<RunOverview>): RunOverview => ({
  id: digit.repeat(64),
  state: 'done',
  submittedAt,
  choice: {},
  reason: null,
  ...more,
});

test('each run is shown with its thread time and bytes, and each person with the sums', () => {
  const cost = (threadSeconds: number, storedBytes: number | null, isWhole = true) => ({
    threadSeconds,
    isWhole,
    storedBytes,
  });
  const runs = [
    run('a', { submittedBy: 'ann', name: 'rentals.csv', cost: cost(75, 2e9) }),
    run('b', { submittedBy: 'bob', cost: cost(3723, null, false) }),
    run('c', { submittedBy: 'ann', cost: cost(15, 5e8) }),
    run('d', { submittedBy: 'bob' }),
  ];
  const text = costTables(runs, Date.parse(submittedAt) + 10 * 3_600_000);
  expect(text.split('\n').map((line) => line.trim().replace(/ {2,}/g, ' | '))).toEqual([
    'run | name | state | by | thread time | stored | GB h',
    'aaaaaaaaaaaa | rentals.csv | done | ann | 1 min 15 s | 2.0 GB | 20',
    'bbbbbbbbbbbb | done | bob | over 1 h 2 min | not known | not known',
    'cccccccccccc | done | ann | 15 s | 500.0 MB | 5.0',
    'dddddddddddd | done | bob | not known | not known | not known',
    '',
    'person | runs | thread time | stored',
    'ann | 2 | 1 min 30 s | 2.5 GB',
    'bob | 2 | over 1 h 2 min | 0 bytes | without 1 that are not known',
  ]);
});
