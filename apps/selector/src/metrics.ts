import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export interface SelectorMetrics {
  readonly registry: Registry;
  readonly observeJob: (stage: string, outcome: string, seconds: number) => void;
  readonly observeStore: (attempt: { operation: string; outcome: string; seconds: number }) => void;
}

export function selectorMetrics(): SelectorMetrics {
  const registry = new Registry();
  // the default, 10 ms, wakes an idle process a hundred times a second
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  const jobs = new Histogram({
    name: 'orchard_job_seconds',
    help: 'Seconds that a job took, by stage and outcome',
    labelNames: ['stage', 'outcome'],
    buckets: [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300],
    registers: [registry],
  });
  const store = new Histogram({
    name: 'orchard_store_request_seconds',
    help: 'Seconds of requests to object storage, retries each on its own',
    labelNames: ['operation', 'outcome'],
    buckets: [0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30],
    registers: [registry],
  });
  return {
    registry,
    observeJob: (stage, outcome, seconds) => {
      jobs.observe({ stage, outcome }, seconds);
    },
    observeStore: ({ operation, outcome, seconds }) => {
      store.observe({ operation, outcome }, seconds);
    },
  };
}
