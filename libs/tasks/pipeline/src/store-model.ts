import type { ModelSummary } from '@orchard/contracts';
import { BitMatrix, meanLogDensities, shareRows } from '@orchard/dataset';
import { hashOf, untold, type DensityModel, type Likelihoods } from '@orchard/model';
import type { ObjectStore } from '@orchard/storage';
import { artefactNames, networkFileName } from './artefact-names.js';
import { factsOf, loadDataset } from './datasets.js';
import { documentBytes } from './documents.js';
import { oneModel } from './one-model.js';
import type { Run, RunDatasets } from './run.js';

/** The rows of a run, by split. */
export interface Splits {
  readonly train: BitMatrix;
  readonly valid: BitMatrix;
  readonly test: BitMatrix | null;
}

/** @throws PipelineError `missing-artefact`, `damaged-artefact` */
export async function loadSplits(store: ObjectStore, { specification: { train, valid, test } }: Run): Promise<Splits> {
  return {
    train: await loadDataset(store, train),
    valid: await loadDataset(store, valid),
    test: test === null ? null : await loadDataset(store, test),
  };
}

/** What is known of the splits of a run without their bits. */
export function factsOfRows({ train, valid, test }: Splits): RunDatasets {
  return { train: factsOf(train), valid: factsOf(valid), test: test === null ? null : factsOf(test) };
}

/** Rows up to which equal ones are looked for before a model is asked: of more the looking takes too much memory. */
const MOST_SHARED = 1_000_000;

/** Mean nats per row: of a table with what the densities of its values add. */
export function meanLogLikelihood(model: Pick<DensityModel, 'logLikelihood'>, rows: BitMatrix): number {
  return meanLogDensities(rows).reduce((sum, nats) => sum + nats, meanOf(model, rows));
}

function meanOf(model: Pick<DensityModel, 'logLikelihood'>, rows: BitMatrix): number {
  if (rows.rows > MOST_SHARED) return model.logLikelihood(rows).reduce((sum, nats) => sum + nats, 0) / rows.rows;
  // equal rows are equally likely, and asked about once; summed in the order of the rows, as all of them would be
  const { distinct, places } = shareRows(rows);
  const nats = model.logLikelihood(BitMatrix.from(distinct));
  return new Uint32Array(places).reduce((sum, place) => sum + nats[place]!, 0) / rows.rows;
}

/**
 * Stores a model, its summary and its report: the model first, so that it is there where the others are.
 *
 * @param figures of the family's own, for the summary
 * @param drawReport null where no report is wanted
 */
export async function storeModelFiles(
  store: ObjectStore,
  run: Run,
  model: DensityModel,
  figures: Readonly<Record<string, unknown>>,
  drawReport: () => Promise<string | null>,
): Promise<void> {
  const network = model.toBytes();
  const summary: ModelSummary = {
    runId: run.id,
    family: run.family,
    dataset: datasetInSummary(run),
    likelihoods: { ...model.likelihoods },
    ...(model.likelihoodIs === undefined ? {} : { likelihoodIs: model.likelihoodIs }),
    // columns of which not every cell was read as it stands
    ...(model.table?.mended === undefined ? {} : { mended: model.table.mended }),
    ...figures,
    network: { ...fileInSummary(network), testLogLikelihood: model.likelihoods.test },
  };
  await store.put(artefactNames.network(run.id, oneModel), network);
  await store.put(artefactNames.summary(run.id, oneModel), documentBytes(summary));
  const reportName = artefactNames.report(run.id, oneModel);
  // one that another release has drawn says the same in other bytes
  if ((await store.head(reportName)) !== null) return;
  const report = await drawReport();
  if (report !== null) await store.put(reportName, Buffer.from(report, 'utf8'));
}

/**
 * A model that says how likely the rows are, each split of which it is asked for.
 *
 * @param make with what it then says of them
 */
export function judgedModel<Model extends Pick<DensityModel, 'logLikelihood'>>(
  make: (likelihoods: Likelihoods) => Model,
  splits: Splits,
): Model {
  return make(likelihoodsOf(make(untold), splits));
}

/** What a model says of the rows that it was made from and held against, mean nats per row. */
function likelihoodsOf(
  model: Pick<DensityModel, 'logLikelihood'>,
  { train, valid, test }: Splits,
): { readonly train: number; readonly valid: number; readonly test: number | null } {
  return {
    train: meanLogLikelihood(model, train),
    valid: meanLogLikelihood(model, valid),
    test: test === null ? null : meanLogLikelihood(model, test),
  };
}

/** What a summary says of the rows of its run. */
export function datasetInSummary({ datasets: { train, valid, test } }: Pick<Run, 'datasets'>): ModelSummary['dataset'] {
  const rows = { train: train.rows, valid: valid.rows, test: test?.rows ?? null };
  return { sha256: train.id, dimensions: train.dimensions, rows };
}

/** What it says of the model file. */
export function fileInSummary(file: Uint8Array): Pick<ModelSummary['network'], 'path' | 'sha256' | 'bytes'> {
  return { path: networkFileName, sha256: hashOf(file).digest('hex'), bytes: file.length };
}
