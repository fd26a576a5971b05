import type { LeftOut, Table } from '@orchard/contracts';
import { keptTable, markedTable, profileTable, tableOf } from '@orchard/dataset';
import { UsageError } from '../../output/errors.js';
import type { Terminal } from '../../output/terminal.js';
import { useTable } from '../../rows/load-table-rows.js';

const WHY = 'it has too many numbers or dates: a stream is learned by categories';

/**
 * The columns and values that a stream of categories has: those of a file like it. Numbers and dates of few values are
 * categories too; others are left out.
 *
 * @throws UsageError where nothing is left
 */
export async function tableLike(file: string, terminal: Terminal): Promise<Table> {
  const onNote = (note: string): void => terminal.remark(note);
  const table = await useTable(file, {}, async (opened) => {
    const raw = keptTable(markedTable(opened));
    try {
      return await tableOf(raw, await profileTable(raw, { onNote }), null, { onNote });
    } finally {
      await raw.discard();
    }
  });
  const variables = table.variables.filter((own) => own.kind !== 'ordered' || own.measure === 'mass');
  const continuous = table.variables.filter((own) => !variables.includes(own)).map(({ name }) => name);
  for (const name of continuous) terminal.remark(`${JSON.stringify(name)} is left out: ${WHY}`);
  if (variables.length === 0)
    throw new UsageError({
      got: `${file}, which has no column of categories`,
      expected: 'a table with columns of few values, as the stream has them',
      where: '--like',
      remedy: 'Name another file, or train on the rows of a file: orchard train.',
    });
  const leftOut: LeftOut[] = [...table.leftOut, ...continuous.map((name) => ({ name, why: WHY }))];
  const places = new Map(table.columns.map((name, at) => [name, at]));
  leftOut.sort((a, b) => places.get(a.name)! - places.get(b.name)!);
  return { ...table, variables, leftOut };
}
