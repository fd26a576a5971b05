import { dimensionOfTask, memberKey, memberOfTask, taskNames } from '@orchard/contracts';
import { artefactNames, orderingsFolder } from '@orchard/pipeline';

export const folders = { order: orderingsFolder, train: 'variables', assemble: 'networks' } as const;

/** A run, or one of its members. */
export interface Place {
  readonly id: string;
  readonly member: number | null;
}

/** The key of a variable's task: `17`, of a member `m3.17`. Variables are counted in stored order. */
export function keyOf({ member }: Pick<Place, 'member'>, index: number): string {
  return member === null ? String(index) : memberKey({ member, network: null }, String(index));
}

export function placeOf(key: string): { readonly index: number; readonly member: number | null } {
  return { index: dimensionOfTask({ key })!, member: memberOfTask({ key })?.member ?? null };
}

/** Where a table's artefacts are, by the keys of its tasks. */
export const tablesNames = {
  variables: (run: string) => `${artefactNames.run(run)}${folders.train}/`,
  variable: (run: string, key: string) => taskNames.artefact({ run, key }, folders.train),
  allCurves: (run: string) => `${artefactNames.run(run)}curves/`,
  /**
   * Beside the variable, and stored before it. It is in no folder of a kind of task: nothing but the variable itself
   * says that this is trained.
   */
  curves: (run: string, key: string) => `${tablesNames.allCurves(run)}v${key}`,
  checkpoints: (run: string, key: string) => `${artefactNames.checkpoints(run)}${key}/`,
} as const;
