import type { NetworkChoice, SelectionMethod } from '@orchard/contracts';

/**
 * Where everything is in the store. No name is the beginning of another with a slash behind it, so that a file system and
 * every S3 server can hold them all. Conditionals are named by stored dimension, whatever the ordering: a name means
 * the same column in every run of a data set, and ties between dimensions go by that number too.
 */
export const artefactNames = {
  /** The packed matrix. Complete with its `.facts` beside it, which is written last. */
  dataset: (id: string) => `datasets/${id}`,
  datasetFacts: (id: string) => `datasets/${id}.facts`,
  datasets: 'datasets/',

  runs: 'runs/',
  run: (run: string) => `runs/${run}/`,
  specification: (run: string) => `runs/${run}/specification`,
  conditionals: (run: string) => `runs/${run}/conditionals/`,
  conditional: (run: string, dimension: number) => `runs/${run}/conditionals/${dimension}`,
  checkpoints: (run: string) => `runs/${run}/checkpoints/`,
  dimensionCheckpoints: (run: string, dimension: number) => `runs/${run}/checkpoints/${dimension}/`,
  checkpoint: (run: string, dimension: number, round: number) => `runs/${run}/checkpoints/${dimension}/${round}`,
  selection: (run: string, method: SelectionMethod) => `runs/${run}/selections/${method}`,
  /** `plan` is the content id of the rounds of all dimensions that were refitted. */
  refits: (run: string, plan: string) => `runs/${run}/refits/${plan}/`,
  refit: (run: string, plan: string, dimension: number) => `runs/${run}/refits/${plan}/${dimension}`,
  network: (run: string, choice: NetworkChoice) => `runs/${run}/networks/${choiceName(choice)}.msgpack`,
  summary: (run: string, choice: NetworkChoice) => `runs/${run}/summaries/${choiceName(choice)}.json`,
  report: (run: string, choice: NetworkChoice) => `runs/${run}/reports/${choiceName(choice)}.html`,
} as const;

/** `linearized-refit`, or `linearized` without the refit. */
export function choiceName({ selection, refit }: NetworkChoice): string {
  return refit ? `${selection}-refit` : selection;
}

/** The number that ends a name below `prefix`, e.g. the dimension of a conditional; null where none does. */
export function numberIn(name: string, prefix: string): number | null {
  const rest = name.startsWith(prefix) ? name.slice(prefix.length) : '';
  return /^(0|[1-9]\d{0,8})$/.test(rest) ? Number(rest) : null;
}
