import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ModelToTrain, TrainModel } from '@orchard/analysis';
import { askedAsTable, type DensityModel } from '@orchard/model';
import { modelWords } from '../rows/model-words.js';
import { harmlessLine } from '../output/harmless.js';
import type { Terminal } from '../output/terminal.js';
import { describeSources, shortName } from '../rows/split-sources.js';
import { noLabels } from './report-labels.js';
import { RunDirectory } from './run-directory.js';

export interface TrainInFoldersOptions {
  readonly seed: number;
  readonly threads?: number;
  readonly out?: string | undefined;
  readonly force?: true;
  /** Places of the columns of a table by which each model predicts, the first ones first; as in the table otherwise. */
  readonly places?: readonly number[] | undefined;
}

/**
 * Has an analysis train models of a file's rows by the options of a command, each in a folder of its own: below `out`,
 * or below one that goes with the analysis.
 *
 * @throws ModelError for a model that only bounds likelihoods
 */
export async function trainInFolders<Answer>(
  file: string,
  options: TrainInFoldersOptions,
  terminal: Terminal,
  analyse: (train: TrainModel, onNote: (note: string) => void) => Promise<Answer>,
): Promise<Answer> {
  const { out, seed } = options;
  const folder = out ?? (await mkdtemp(join(tmpdir(), 'orchard-models-')));
  const sources = describeSources({ train: file }, seed);
  const train: TrainModel = (model) => {
    const title = model.title === null ? shortName(file) : `${shortName(file) ?? file}, ${model.title}`;
    const labels = { ...noLabels, title, sources };
    return trainOne(
      { ...model, folder: model.name === null ? folder : join(folder, model.name), labels },
      options,
      terminal,
    );
  };
  try {
    return await analyse(train, (note) => {
      terminal.note(`orchard: ${harmlessLine(note)}`);
    });
  } finally {
    if (out === undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** A model to train in a folder of its own. */
interface TrainingRequest extends ModelToTrain {
  readonly folder: string;
  readonly labels: typeof noLabels;
}

async function trainOne(
  { family, words, folder, splits: { train, valid }, labels }: TrainingRequest,
  { places, ...options }: TrainInFoldersOptions,
  terminal: Terminal,
): Promise<DensityModel> {
  const splits = { train, valid, test: null };
  const said = await modelWords(family, { ...options, ...words }, train.columns);
  const asked = places === undefined ? said : { ...said, ordering: places };
  const { threads, force = false } = options;
  const request = { family, words: asked, labels, splits, threads, mayReplace: force, withReport: false };
  const { model } = (await RunDirectory.train(folder, request, terminal)).local;
  askedAsTable(model, '--model');
  return model;
}
