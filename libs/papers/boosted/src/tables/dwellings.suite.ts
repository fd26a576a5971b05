import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openTable, readTableSplits, type BitMatrix } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import { folderOfTest } from '@orchard/storage/testing';

/** Rents by city and size, with a year that is missing at times: training, validation and test rows. */
export async function dwellings(): Promise<readonly [BitMatrix, BitMatrix, BitMatrix]> {
  const stream = new RandomStream(3, 1074);
  const lines = Array.from({ length: 150 }, () => {
    const city = ['Kiel', 'Lund', 'Riga'][stream.below(3)]!;
    const size = 40 + 10 * stream.below(6);
    const rent = 200 + 9 * size + (city === 'Kiel' ? 150 : 0) + 80 * stream.uniform();
    const year = stream.below(5) === 0 ? '' : String(1980 + stream.below(30));
    return [city, size, rent.toFixed(1), rent > 700 === stream.below(8) > 0 ? 'yes' : 'no', year].join();
  });
  const path = join(folderOfTest(), 'table.csv');
  await writeFile(path, ['city,size,rent,old,year', ...lines].join('\n'));
  const train = await openTable(path);
  const splits = await readTableSplits({ train, valid: null, test: null }, { valid: 0.2, test: 0.2 }, 1, {});
  await train.close();
  return [splits.train, splits.valid!, splits.test!];
}
