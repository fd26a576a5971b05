/**
 * Where everything is in the store that is not a task's own artefact (those: `taskNames` of contracts). No name is the
 * beginning of another with a slash behind it, so that a file system and every S3 server can hold them all.
 */
export const artefactNames = {
  /** The packed matrix. Complete with its `.facts` beside it, which is written last. */
  dataset: (id: string) => `datasets/${id}`,
  datasetFacts: (id: string) => `datasets/${id}.facts`,
  datasets: 'datasets/',
  /** That the deletion of a data set has begun: kept until it is registered again, or for a day. */
  datasetDeletion: (id: string) => `deleting/${id}`,
  datasetDeletions: 'deleting/',

  /** Rows that workers are to read where they lie, and what came of it. */
  readings: 'readings/',
  readingRequest: (id: string) => `readings/${id}`,
  readingAnswer: (id: string) => `readings/${id}.answer`,
  readingAttempt: (id: string, attempt: number) => `readings/${id}.attempt-${attempt}`,

  /** Which cluster the store is of: two that share a Redis would take each other's tasks. */
  cluster: 'cluster',

  /** Who did what: written by coordinators, and never removed by any program. */
  audit: 'audit/',

  /** That no schedule may delete a run. */
  pin: (run: string) => `pins/${run}`,
  pins: 'pins/',

  /** Runs of whose end an address is still to be notified. */
  notifications: 'notify/',
  /** What was spent on it, by its ends. */
  costs: (run: string) => `runs/${run}/cost/`,
  /** Attempts to tell it. */
  webhooks: (run: string) => `runs/${run}/webhooks/`,

  /** What a schedule of coordinators did: one of them does it, once in each period. */
  housekeeping: 'housekeeping/',

  runs: 'runs/',
  run: (run: string) => `runs/${run}/`,
  specification: (run: string) => `runs/${run}/specification`,
  /** Who submitted it and what people call it. */
  sheet: (run: string) => `runs/${run}/sheet`,
  /** Unfinished tasks, by key and round. */
  checkpoints: (run: string) => `runs/${run}/checkpoints/`,
  /** What a run ends in, by the name of what was wanted of it. */
  network: (run: string, wanted: string) => `runs/${run}/networks/${wanted}.msgpack`,
  summary: (run: string, wanted: string) => `runs/${run}/summaries/${wanted}.json`,
  report: (run: string, wanted: string) => `runs/${run}/reports/${wanted}.html`,
} as const;

/** A model's file name, wherever it and its summary are written side by side. */
export const networkFileName = 'network.msgpack';

/** The number that ends a name below `prefix`, e.g. the dimension of a checkpoint's folder; null where none does. */
export function numberIn(name: string, prefix: string): number | null {
  const rest = name.startsWith(prefix) ? name.slice(prefix.length) : '';
  return /^(0|[1-9]\d{0,8})$/.test(rest) ? Number(rest) : null;
}
