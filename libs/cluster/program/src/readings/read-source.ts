import type { RowKind, DatasetFacts, ReadingProgress, ReadingRequest } from '@orchard/contracts';
import { readTrainingRows, type RawTable, type ReadOptions, type RowFile } from '@orchard/dataset';
import { factsOf, openRowsAt, type RowsAtOptions } from '@orchard/pipeline';

/** What a source came to: the parts' bytes are buffers of their own, to be handed over. */
export interface SourceRead {
  readonly kind: RowKind;
  readonly parts: readonly { readonly facts: DatasetFacts; readonly bytes: Uint8Array<ArrayBuffer> }[];
  readonly notes: readonly string[];
  readonly leftOut: readonly { readonly name: string; readonly why: string }[];
}

const usualValidFraction = 0.1;

/** Reads the rows of a source where they lie, as `orchard submit` reads those of a file. @throws Refusal */
export async function readSource(
  request: ReadingRequest,
  s3: NonNullable<RowsAtOptions['s3']>,
  onProgress: (progress: ReadingProgress) => void,
): Promise<SourceRead> {
  const files: RowFile[] = [];
  const notes: string[] = [];
  const come = { bytes: 0, size: 0 as number | null, rows: 0 };
  const report = (phase: ReadingProgress['phase']): void => onProgress({ phase, ...come });
  const open = async (source: string): Promise<RowFile> => {
    const before = { bytes: come.bytes, size: come.size };
    const file = await openRowsAt(source, {
      s3,
      onProgress: ({ bytes, size }) => {
        come.bytes = before.bytes + bytes;
        come.size = size === null || before.size === null ? null : before.size + size;
        report('copying');
      },
    });
    files.push(file);
    return file;
  };
  const counted = (raw: RawTable): RawTable => ({
    ...raw,
    async *batches(needed) {
      for await (const batch of raw.batches(needed)) {
        come.rows += batch.rows;
        report('reading');
        yield batch;
      }
    },
    ...(raw.withMarks && { withMarks: (columns) => counted(raw.withMarks!(columns)) }),
  });
  const { source, valid, test, seed, bits, table, columns, result } = request;
  const fractions = {
    valid: valid === undefined ? (request.fractions?.valid ?? usualValidFraction) : 0,
    test: test === undefined ? (request.fractions?.test ?? 0) : 0,
    ...(request.fractions?.rows !== undefined && { rows: request.fractions.rows }),
  };
  try {
    const read = await readTrainingRows(
      {
        train: await open(source),
        valid: valid === undefined ? null : await open(valid),
        test: test === undefined ? null : await open(test),
      },
      {
        bits: bits && ((place) => ({ ...bits, seed: (bits.seed ?? seed) + place }) as ReadOptions),
        table,
        columns,
        result,
        fractions,
        seed,
        wrap: counted,
        onNote: (note, file) => notes.push(file === undefined ? note : `${file}: ${note}`),
      },
    );
    const { columns: found } = read.train;
    const matrices = [read.train, read.valid!, ...(read.test === null ? [] : [read.test])];
    return {
      kind: found.kind,
      parts: matrices.map((matrix) => ({
        facts: factsOf(matrix),
        bytes: new Uint8Array(matrix.buffer as ArrayBuffer),
      })),
      notes,
      leftOut: (found.table?.leftOut ?? []).map(({ name, why }) => ({ name, why })),
    };
  } finally {
    for (const file of files) await file.close();
  }
}
