import { BitMatrix, encodeParts, encodeTable, tableOf, trainingCounts, type RawTable } from '@orchard/dataset';
import type { EncodedPart, TableOptions, TableProfile } from '@orchard/dataset';
import { anomalyScores, asTabular, joined, rowSurprises, setLearnedCounts } from '@orchard/model';
import type { ScoredRows, TabularModel } from '@orchard/model';
import { ahead } from '@orchard/pipeline';
import { families, treeOfRows } from '@orchard/registry';
import type { computations } from '../computations.js';
import { ModelThreads, type Threads } from '../model-threads.js';
import { postedPiece, receivedPiece, type PostedPiece } from '../scores/posted-scores.js';
import type { SmallSample } from './small-samples.js';

const SMALL_MODEL: keyof typeof computations = 'smallModel';

/** The share of its rows that choose a model's size. */
const VALID_SHARE = 0.1;
/** Of a file of more cells rows are scored part by part, in this thread: most of the time is to encode them. */
const MOST_HELD = 2 ** 20;
/** Two models show how long the others take. */
const PIECES = { first: [1, 1] };

/** How rows are encoded that small models look at. */
export const encodedForScores = { withDensities: true, mayBeUnknown: true, missing: 'value' } as const;

/** A model of a few rows, and which these are: it scores all others. */
export interface SmallModel {
  readonly model: TabularModel;
  readonly learned: ReadonlySet<number>;
}

/** Models of one size. */
export type SmallModels = readonly SmallModel[];

/** One that has scored all rows of its file, those that it learned from too. */
export interface ScoredSmallModel extends SmallModel {
  readonly scores: Float64Array;
}

/** Rows that a small model learns from, as codes of its table. */
interface SmallRows {
  readonly train: BitMatrix;
  readonly valid: BitMatrix;
}

/** The same as they are posted to a thread, and the rows that it scores. */
export interface PostedSmall {
  readonly train: ArrayBufferLike;
  readonly valid: ArrayBufferLike;
  readonly parts: readonly PostedPiece[];
}

/** What a thread made of them. */
export interface SmallMade {
  /** The model's file. */
  readonly bytes: Uint8Array;
  /** Of each part. */
  readonly scores: readonly Float64Array[];
}

export interface SmallModelsOptions {
  readonly threads: number;
  /** @param share of the models that are made, 0 to 1 */
  readonly onProgress?: ((share: number) => void) | undefined;
  /** As {@link Threads.pays}. */
  readonly pays?: number | undefined;
}

/**
 * Trains small models of a table, each on rows of its own; what columns are made of, as bins, is learned from these
 * rows alone, what kinds they are from all. Here, or in threads where that takes long.
 */
export class SmallModelTrainer {
  readonly #threads: ModelThreads;

  /** @param models that it will train */
  constructor(
    private readonly raw: RawTable,
    private readonly profile: TableProfile,
    private readonly options: TableOptions,
    models: number,
    { threads, onProgress, pays }: SmallModelsOptions,
  ) {
    const where: Threads = {
      bytes: new Uint8Array(0),
      rows: models,
      threads: this.#isHeld ? threads : 1,
      onProgress: (done) => onProgress?.(done / models),
      ...(pays !== undefined && { pays }),
    };
    this.#threads = new ModelThreads(where, null, PIECES);
  }

  /** One after the other, in the order of the samples. */
  train(samples: readonly SmallSample[]): AsyncGenerator<ScoredSmallModel, void> {
    return ahead(
      samples,
      () => this.#threads.width,
      (sample) => this.#trained(sample),
    );
  }

  async close(): Promise<void> {
    await this.#threads.close();
  }

  get #isHeld(): boolean {
    return this.profile.rows * this.raw.columns.length <= MOST_HELD;
  }

  async #trained(sample: SmallSample): Promise<ScoredSmallModel> {
    const { profile, options } = this;
    const rows = await encodedSample(sample, profile, options);
    const parts = encodeParts(this.raw, rows.train.columns.codes.table, encodedForScores);
    const learned = new Set(sample.rows);
    if (!this.#isHeld) {
      const model = smallModelOf(rows);
      const scores = new Float64Array(profile.rows);
      for await (const part of parts) scores.set(scoresOf(model, part), part.firstRow);
      return { model, learned, scores };
    }
    const held: EncodedPart[] = [];
    for await (const part of parts) held.push(part);
    const here = () => {
      const model = smallModelOf(rows);
      return { model, scores: held.map((part) => scoresOf(model, part)) };
    };
    const { model, scores } = await this.#threads.ask(1, here, async (call) => {
      const { variables } = rows.train.columns.codes.table;
      const posted: PostedSmall = {
        train: rows.train.buffer,
        valid: rows.valid.buffer,
        parts: held.map((all) => postedPiece({ all, from: 0, to: all.matrix.rows }, variables.length, false)),
      };
      const made = await call<SmallMade>(SMALL_MODEL, posted);
      return { model: withCounts(asTabular(families.openModel(made.bytes))), scores: made.scores };
    });
    return { model, learned, scores: joined(scores) };
  }
}

/** What a thread makes. */
export function smallModelMade({ train, valid, parts }: PostedSmall): SmallMade {
  const model = smallModelOf({ train: BitMatrix.from(train), valid: BitMatrix.from(valid) });
  const scores = parts.map((part) => scoresOf(model, receivedPiece(part, model)));
  return { bytes: model.toBytes(), scores };
}

async function encodedSample(
  { rows, table: raw }: SmallSample,
  profile: TableProfile,
  options: TableOptions,
): Promise<SmallRows> {
  const validRows = new Set(rows.subarray(0, Math.max(1, Math.round(VALID_SHARE * rows.length))));
  const splitOf = Uint8Array.from(rows.toSorted(), (row) => (validRows.has(row) ? 1 : 0));
  // validation rows too say what columns are made of
  const table = await tableOf(raw, profile, new Uint8Array(rows.length), options);
  const [train, valid] = await encodeTable(raw, table, [rows.length - validRows.size, validRows.size], { splitOf });
  return { train: train!.matrix, valid: valid!.matrix };
}

function smallModelOf({ train, valid }: SmallRows): TabularModel {
  return withCounts(treeOfRows({ train, valid, test: null }));
}

/** It judges rows of the file that it has not learned from: what it has not learned is known by its counts. */
function withCounts(model: TabularModel): TabularModel {
  setLearnedCounts(model, model.table.variables.map(trainingCounts));
  return model;
}

function scoresOf(model: TabularModel, rows: ScoredRows): Float64Array {
  return anomalyScores(model, rowSurprises(model, rows, 'value'));
}
