import { taskNames } from '@orchard/contracts';
import { artefactNames } from '@orchard/pipeline';

export const folders = { train: 'variables', assemble: 'networks' } as const;

/** Where a table's artefacts are, by variable in stored order. */
export const tablesNames = {
  variables: (run: string) => `${artefactNames.run(run)}${folders.train}/`,
  variable: (run: string, index: number) => taskNames.artefact({ run, key: String(index) }, folders.train),
  allCurves: (run: string) => `${artefactNames.run(run)}curves/`,
  /** Beside the variable, and stored before it. Its last part is no task's key: nothing but the variable itself says that this is trained. */
  curves: (run: string, index: number) => `${tablesNames.allCurves(run)}v${String(index)}`,
  checkpoints: (run: string, index: number) => `${artefactNames.checkpoints(run)}${String(index)}/`,
  checkpoint: (run: string, index: number, decisions: number) =>
    `${artefactNames.checkpoints(run)}${String(index)}/${String(decisions)}`,
} as const;
