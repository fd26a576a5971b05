import { taskNames, type NetworkChoice, type SelectionMethod } from '@orchard/contracts';
import { artefactNames } from '@orchard/pipeline';

/** The folders of what the tasks store, below a run's: what people call them. */
export const folders = {
  train: 'conditionals',
  select: 'selections',
  refit: 'refits',
  assemble: 'networks',
} as const;

/**
 * Where a network's artefacts are. Conditionals are named by stored dimension, whatever the ordering: a name means the same
 * column in every run of a data set, and ties between dimensions go by that number too.
 */
export const lbarnNames = {
  conditionals: (run: string) => `${artefactNames.run(run)}${folders.train}/`,
  conditional: (run: string, dimension: number) => taskNames.artefact({ run, key: String(dimension) }, folders.train),
  dimensionCheckpoints: (run: string, dimension: number) => `${artefactNames.checkpoints(run)}${dimension}/`,
  checkpoint: (run: string, dimension: number, round: number) =>
    `${artefactNames.checkpoints(run)}${dimension}/${round}`,
  selections: (run: string) => `${artefactNames.run(run)}${folders.select}/`,
  selection: (run: string, method: SelectionMethod) => taskNames.artefact({ run, key: method }, folders.select),
  refits: (run: string) => `${artefactNames.run(run)}${folders.refit}/`,
  /** `plan` is the content id of the rounds of all dimensions that were refitted. */
  refit: (run: string, plan: string, dimension: number) =>
    taskNames.artefact({ run, key: refitKey(plan, dimension) }, folders.refit),
  network: (run: string, choice: NetworkChoice) => artefactNames.network(run, choiceName(choice)),
  summary: (run: string, choice: NetworkChoice) => artefactNames.summary(run, choiceName(choice)),
  report: (run: string, choice: NetworkChoice) => artefactNames.report(run, choiceName(choice)),
} as const;

/** 16 digits tell the plans of one run apart. */
export function refitKey(plan: string, dimension: number): string {
  return `${plan.slice(0, 16)}.${dimension}`;
}

/** `linearized-refit`, or `linearized` without the refit. */
export function choiceName({ selection, refit }: NetworkChoice): string {
  return refit ? `${selection}-refit` : selection;
}
