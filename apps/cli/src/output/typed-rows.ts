import {
  ColumnTyping,
  KeptColumns,
  type ColumnForm,
  type ColumnHead,
  type RawBatch,
  type TypedValues,
} from '@orchard/dataset';
import type { ColumnBatches } from './table-file.js';

/** Numbers of a column that are held to see whether two of its texts are one number. */
const NUMBERS_HELD = 2 ** 17;

/**
 * Rows in words as rows of a file whose columns have types. What type a column has is known when all of it has come, so
 * that the rows are kept meanwhile, in a temporary file where they are many, and read again.
 *
 * @param write what is made of them
 */
export async function* typedRows(
  batches: ColumnBatches,
  write: (heads: readonly ColumnHead[], rows: AsyncIterable<readonly TypedValues[]>) => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const kept = new KeptColumns('the rows to be written');
  try {
    const columns = await typed(kept, batches);
    const heads = columns.map(({ name, form }) => ({ name, ...form }));
    yield* write(
      heads,
      valuesOf(
        kept,
        columns.map(({ form }) => form),
      ),
    );
  } finally {
    await kept.remove();
  }
}

interface FormedColumn {
  readonly name: string;
  readonly form: ColumnForm;
}

/** Keeps the rows, and says what type each column has. */
async function typed(kept: KeptColumns, batches: ColumnBatches): Promise<FormedColumn[]> {
  const columns: { readonly name: string; readonly typing: ColumnTyping }[] = [];
  const learned = async function* (): AsyncGenerator<RawBatch, void> {
    for await (const batch of batches) {
      for (const [at, { name, texts, ...by }] of batch.entries()) {
        columns[at] ??= { name, typing: new ColumnTyping(by, NUMBERS_HELD) };
        columns[at].typing.add(texts);
      }
      yield { rows: batch[0]?.texts.length ?? 0, columns: batch.map(({ texts }) => texts) };
    }
  };
  await readAll(kept.keep(learned()));
  const most = columns.reduce((passes, { typing }) => Math.max(passes, typing.passes), 0);
  for (let pass = 0; pass < most; pass++) {
    const looked = new Set([...columns.keys()].filter((at) => columns[at]!.typing.passes > pass));
    for await (const batch of kept.batches(looked))
      for (const at of looked) columns[at]!.typing.look(textsIn(batch, at), pass);
  }
  return columns.map(({ name, typing }) => ({ name, form: typing.form() }));
}

async function* valuesOf(
  kept: KeptColumns,
  forms: readonly ColumnForm[],
): AsyncGenerator<readonly TypedValues[], void> {
  for await (const batch of kept.batches())
    yield forms.map(({ valueOf }, at) => textsIn(batch, at).map((text) => (text === null ? null : valueOf(text))));
}

/** What was kept of a column: its texts. */
function textsIn({ rows, columns }: RawBatch, at: number): (string | null)[] {
  const column = columns[at]!;
  return Array.from({ length: rows }, (_, row) => {
    const cell = column.at(row) ?? null;
    return cell === null ? null : String(cell);
  });
}

async function readAll(batches: AsyncIterable<unknown>): Promise<void> {
  const iterator = batches[Symbol.asyncIterator]();
  while ((await iterator.next()).done !== true);
}
