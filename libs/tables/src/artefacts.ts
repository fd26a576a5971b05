import { taskNames } from '@orchard/contracts';
import { artefactNames } from '@orchard/pipeline';

export const folders = { train: 'variables', assemble: 'networks' } as const;

/** Where a table's artefacts are, by variable in stored order. */
export const tablesNames = {
  variables: (run: string) => `${artefactNames.run(run)}${folders.train}/`,
  variable: (run: string, index: number) => taskNames.artefact({ run, key: String(index) }, folders.train),
  checkpoints: (run: string, index: number) => `${artefactNames.checkpoints(run)}${String(index)}/`,
  checkpoint: (run: string, index: number, decisions: number) =>
    `${artefactNames.checkpoints(run)}${String(index)}/${String(decisions)}`,
} as const;
