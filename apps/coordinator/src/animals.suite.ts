import { openTable, readTableSplits, type BitMatrix } from '@orchard/dataset';
import { Readable } from 'node:stream';

/** Rows of animals: three labels with holes, two labels, whole numbers, decimals, dates; all lean on the weight. */
export function animalsCsv(rows = 60): string {
  const lines = Array.from({ length: rows }, (_, row) => {
    const weight = (row * 37) % rows;
    const kind = weight % 13 === 5 ? '' : ['cat', 'dog', 'horse'][Math.floor((3 * weight) / rows)]!;
    const born = new Date((18_000 + 10 * weight) * 86_400_000).toISOString().slice(0, 10);
    return [kind, weight > rows / 2 ? 'yes' : 'no', weight % 7, (weight * 1.25 + 0.5).toFixed(2), born].join(',');
  });
  return `kind,large,toys,weight,born\n${lines.join('\n')}\n`;
}

/** Training and validation rows of {@link animalsCsv}. */
export async function animals(rows = 60): Promise<{ readonly train: BitMatrix; readonly valid: BitMatrix }> {
  const raw = await openTable({ name: 'animals.csv', bytes: Readable.from([Buffer.from(animalsCsv(rows))]) });
  try {
    const { train, valid } = await readTableSplits({ train: raw, valid: null, test: null }, { valid: 0.25 }, 1, {});
    return { train, valid: valid! };
  } finally {
    await raw.close();
  }
}
