import { memberKey, taskNames, type MemberNetwork, type NetworkChoice, type SelectionMethod } from '@orchard/contracts';
import { artefactNames, orderingsFolder } from '@orchard/pipeline';

/** The folders of what the tasks store, below a run's: what people call them. */
export const folders = {
  screen: 'screenings',
  order: orderingsFolder,
  train: 'conditionals',
  select: 'selections',
  refit: 'refits',
  retrain: 'retrained',
  assemble: 'networks',
} as const;

/** A run, or one network of its members. */
export type Place = string | { readonly id: string; readonly of: MemberNetwork | null };

/** The key that a task of a run has, or the same task of one of its networks: `17`, `m3.17`. */
export function keyIn(place: Place, key: string): string {
  return typeof place === 'string' || place.of === null ? key : memberKey(place.of, key);
}

function idOf(place: Place): string {
  return typeof place === 'string' ? place : place.id;
}

function artefact(place: Place, key: string, folder: string): string {
  return taskNames.artefact({ run: idOf(place), key: keyIn(place, key) }, folder);
}

/**
 * Where a network's artefacts are. Conditionals are named by stored dimension, whatever the ordering: a name means the
 * same column in every run of a data set, and ties between dimensions go by that number too. Those of members lie
 * beside each other in the same folders, by the keys of their tasks.
 */
export const lbarnNames = {
  screenings: (run: string) => `${artefactNames.run(run)}${folders.screen}/`,
  screening: (run: string, trial: string) => artefact(run, trial, folders.screen),
  /** What the trials of a question say lies beside them. */
  settled: (run: string, question: string) => artefact(run, question, folders.screen),
  conditionals: (run: string) => `${artefactNames.run(run)}${folders.train}/`,
  conditional: (place: Place, dimension: number) => artefact(place, String(dimension), folders.train),
  /** The beginning of the names of all checkpoints. */
  checkpoints: (place: Place) => `${artefactNames.checkpoints(idOf(place))}${keyIn(place, '')}`,
  dimensionCheckpoints: (place: Place, dimension: number) => `${lbarnNames.checkpoints(place)}${dimension}/`,
  checkpoint: (place: Place, dimension: number, round: number) =>
    `${lbarnNames.dimensionCheckpoints(place, dimension)}${round}`,
  selections: (run: string) => `${artefactNames.run(run)}${folders.select}/`,
  selection: (place: Place, method: SelectionMethod) => artefact(place, method, folders.select),
  refits: (run: string) => `${artefactNames.run(run)}${folders.refit}/`,
  /** `plan` is the content id of the rounds of all dimensions that were refitted. */
  refit: (place: Place, plan: string, dimension: number) => artefact(place, refitKey(plan, dimension), folders.refit),
  /** Those of a plan, as a refit's are named. */
  retrained: (place: Place, plan: string, dimension: number) =>
    artefact(place, refitKey(plan, dimension), folders.retrain),
  /** By the key of its task, as all checkpoints: losses of a worker are counted since the newest. */
  retrainCheckpoints: (place: Place, plan: string, dimension: number) =>
    `${lbarnNames.checkpoints(place)}${refitKey(plan, dimension)}/`,
  /** The beginning of the names of all that were trained again. */
  allRetrained: (run: string) => `${artefactNames.run(run)}${folders.retrain}/`,
  network: (place: Place, choice: NetworkChoice) =>
    artefactNames.network(idOf(place), keyIn(place, choiceName(choice))),
  summary: (place: Place, choice: NetworkChoice) =>
    artefactNames.summary(idOf(place), keyIn(place, choiceName(choice))),
  report: (place: Place, choice: NetworkChoice) => artefactNames.report(idOf(place), keyIn(place, choiceName(choice))),
} as const;

/** 16 digits distinguish the plans of one run. */
export function refitKey(plan: string, dimension: number): string {
  return `${plan.slice(0, 16)}.${dimension}`;
}

/**
 * `linearized-refit`, or `linearized` without the refit, `linearized-retrained` trained again; `linearized-refit-m8` of
 * eight members.
 */
export function choiceName({ selection, refit, members }: NetworkChoice): string {
  return `${selection}${refit === 'again' ? '-retrained' : refit ? '-refit' : ''}${members === undefined ? '' : `-m${members}`}`;
}
