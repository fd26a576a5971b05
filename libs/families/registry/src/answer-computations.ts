import {
  BitMatrix,
  bitTable,
  encodeParts,
  keptTable,
  matchColumns,
  openRows,
  openTableFrom,
  readAsTrained,
  requireRows,
  type RawTable,
  type RowFile,
} from '@orchard/dataset';
import { underKeptRules } from '@orchard/members';
import { moments, NewCellCounts, ScoreSums, scoreTable, type TabularModel } from '@orchard/model';
import { seedBehind } from '@orchard/numerics';
import {
  openRowsAt,
  readDocument,
  writeDocument,
  type Computation,
  type ComputationContext,
  type RowsAtOptions,
} from '@orchard/pipeline';
import {
  evaluationNames,
  readRowsOfFileSchema,
  type Evaluation,
  type EvaluationSpecification,
} from './evaluation-specification.js';
import { openModelOfRun } from './model-of-run.js';
import type { SamplingSpecification } from './sampling-specification.js';
import { partBytes, partOf, scoresBytes, scoresOf } from './scored-parts.js';
import { sealed, unsealed } from './sealed.js';

/** Rows that are sampled between two looks at whether it is to stop. */
const batchRows = 4096;

interface SliceToSample {
  readonly specification: SamplingSpecification;
  readonly first: number;
  readonly rows: number;
}

/** The codes of a slice; null where it was cancelled. */
async function sample(
  { specification: { model: of, seed, rules }, first, rows }: SliceToSample,
  { store, isCancelled, onProgress }: ComputationContext,
): Promise<Uint8Array | null> {
  const model = await openModelOfRun(store, of);
  const sampler = ((rules ? underKeptRules(model) : null) ?? model).sampler(seed);
  sampler.skip(first);
  let all: BitMatrix | null = null;
  for (let from = 0; from < rows; from += batchRows) {
    if (isCancelled()) return null;
    const batch = sampler.next(Math.min(batchRows, rows - from));
    all ??= BitMatrix.create(rows, batch.dimensions);
    all.bytes.set(batch.bytes, from * all.stride);
    onProgress({ share: (from + batch.rows) / rows, trees: 0, nats: null });
  }
  return sealed(new Uint8Array(all!.buffer));
}

interface EvaluatedRun {
  readonly run: { readonly id: string; readonly specification: EvaluationSpecification };
}

/** Reads the rows as those of the model and stores them part by part. @returns false where it was cancelled */
async function read(
  { run: { id, specification }, s3 }: EvaluatedRun & { readonly s3: NonNullable<RowsAtOptions['s3']> },
  { store, isCancelled, onProgress }: ComputationContext,
): Promise<boolean> {
  const { source, missing, model: of } = specification;
  const model = await openModelOfRun(store, of);
  let size: number | null = null;
  const file = await openRowsAt(source, {
    s3,
    onProgress: ({ bytes, size: all }) => {
      size = all;
      if (size !== null && size > 0) onProgress({ share: Math.min(1, bytes / size) / 2, trees: 0, nats: null });
    },
  });
  try {
    const { table, remarks, close } = await openAsTrained(file, model);
    try {
      const newCells = new NewCellCounts(model);
      let [parts, rows] = [0, 0];
      const asked = { missing, withDensities: true, mayBeUnknown: true } as const;
      for await (const part of encodeParts(table, model.table, asked)) {
        if (isCancelled()) return false;
        await store.put(evaluationNames.part(id, parts), sealed(partBytes(part)));
        newCells.add(part);
        parts += 1;
        rows += part.matrix.rows;
      }
      requireRows(rows, source);
      const { cells } = newCells;
      await writeDocument(store, evaluationNames.read(id), { rows, parts, newCells: cells, remarks });
      return true;
    } finally {
      await close();
    }
  } finally {
    await file.close();
  }
}

/** As `orchard evaluate` reads a file on one machine. */
async function openAsTrained(
  file: RowFile,
  model: TabularModel,
): Promise<{ readonly table: RawTable; readonly remarks: string[]; readonly close: () => Promise<void> }> {
  if (model.ofBits !== undefined) {
    const { names, dimensions } = model.ofBits;
    const { matrix } = await openRows(file, { bits: { categoriesOf: names, dimensions }, table: null });
    const matched = matchColumns({ label: 'the network', dimensions, names }, { label: file.name, matrix }, () => null);
    return { table: bitTable(matched, file.name), remarks: [], close: () => Promise.resolve() };
  }
  const learnedNames = model.table.variables.map(({ name }) => name);
  const kept = keptTable(await openTableFrom(file, { learnedNames }));
  const { table, remarks } = await readAsTrained(kept, model.table);
  return { table, remarks: [...remarks], close: () => kept.discard() };
}

/** What the rows of a part, and their cells, have. */
async function score(
  { run: { id, specification }, part }: EvaluatedRun & { readonly part: number },
  { store }: ComputationContext,
): Promise<Uint8Array> {
  const model = await openModelOfRun(store, specification.model);
  const name = evaluationNames.part(id, part);
  const rows = partOf(unsealed(await store.get(name), name));
  return sealed(scoresBytes(scoreTable(model, rows, { seed: seedBehind(specification.seed, part) })));
}

/** Adds up the parts in the order of their rows, and lets go of them. */
async function sum({ run: { id, specification } }: EvaluatedRun, { store }: ComputationContext): Promise<void> {
  const model = await openModelOfRun(store, specification.model);
  const { parts, newCells, remarks } = await readDocument(store, evaluationNames.read(id), readRowsOfFileSchema);
  const sums = new ScoreSums(model.variables);
  for (let part = 0; part < parts; part++) {
    const name = evaluationNames.scores(id, part);
    sums.add(scoresOf(unsealed(await store.get(name), name)));
  }
  const { nats, densityMean, means, incomplete, greatestError } = sums.figures();
  const { mean, standardError } = moments(nats);
  await writeDocument(store, evaluationNames.result(id), {
    rows: nats.length,
    logLikelihood: mean,
    standardError,
    densityLogLikelihood: densityMean,
    columns: means === null ? null : Array.from(means, (own) => (Number.isNaN(own) ? null : own)),
    rowsWithUnknown: incomplete,
    greatestError,
    newCells,
    remarks,
  } satisfies Evaluation);
  for (let part = 0; part < parts; part++) {
    await store.delete(evaluationNames.part(id, part));
    await store.delete(evaluationNames.scores(id, part));
  }
}

/** The functions that workers' threads run for runs that ask models. */
export const computations: Readonly<Record<string, Computation>> = { sample, read, score, sum };
