import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** @param live figures that are computed when they are scraped */
export function taskProgramMetrics(live: { residentBytes: () => number; active: () => number }) {
  const registry = new Registry();
  // the default, 10 ms, wakes an idle process a hundred times a second
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  const registers = [registry];
  const jobs = new Histogram({
    name: 'orchard_job_seconds',
    help: 'Seconds that a job took, by stage and outcome',
    labelNames: ['stage', 'outcome'],
    buckets: [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000, 3000],
    registers,
  });
  const trees = new Counter({
    name: 'orchard_trees_total',
    help: 'Trees grown by tasks',
    labelNames: ['stage'],
    registers,
  });
  const reads = new Counter({
    name: 'orchard_dataset_reads_total',
    help: 'Data sets read, from the cache on disk or the store',
    labelNames: ['where'],
    registers,
  });
  const store = new Histogram({
    name: 'orchard_store_request_seconds',
    help: 'Seconds of requests to object storage, retries each on its own',
    labelNames: ['operation', 'outcome'],
    buckets: [0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30],
    registers,
  });
  const gauge = (name: string, help: string, value: () => number): Gauge =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value());
      },
    });
  gauge('orchard_resident_bytes', 'Bytes of training data in memory', live.residentBytes);
  gauge('orchard_jobs_in_hand', 'Jobs being worked on', live.active);
  return {
    registry,
    observeJob: (stage: string, outcome: string, seconds: number, grown: number): void => {
      jobs.observe({ stage, outcome }, seconds);
      trees.inc({ stage }, grown);
    },
    observeCache: (where: 'cache' | 'store'): void => {
      reads.inc({ where });
    },
    observeStore: ({ operation, outcome, seconds }: { operation: string; outcome: string; seconds: number }): void => {
      store.observe({ operation, outcome }, seconds);
    },
  };
}
