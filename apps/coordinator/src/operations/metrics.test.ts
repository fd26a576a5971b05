import { expect, test } from 'vitest';
import { Metrics } from './metrics.js';

test('a label is a code: messages make no series of their own', async () => {
  const metrics = new Metrics([]);
  for (let run = 0; run < 40; run++) {
    metrics.observer.onAttemptFailed?.('train', `run ${run}: got 7, expected 0 or 1. Correct it.`);
  }
  metrics.observer.onAttemptFailed?.('train', 'training-failed');
  metrics.observeStore({ operation: 'get', outcome: 'NoSuchKey', attempt: 1, seconds: 1 });
  const text = await metrics.registry.metrics();
  const series = text.split('\n').filter((line) => line.startsWith('orchard_job_attempts_failed_total{'));
  expect(series.sort()).toEqual([
    'orchard_job_attempts_failed_total{stage="train",code="other"} 40',
    'orchard_job_attempts_failed_total{stage="train",code="training-failed"} 1',
  ]);
  expect(text).toContain('outcome="NoSuchKey"');
});

test('what is given up is counted from 0 for every kind of work, so that the first of it is seen to rise', async () => {
  const metrics = new Metrics(['train', 'select']);
  metrics.observer.onQuarantined?.('select');
  expect(await metrics.registry.getSingleMetricAsString('orchard_work_quarantined_total')).toMatch(
    /\{stage="train"\} 0\n.*\{stage="select"\} 1/,
  );
});
