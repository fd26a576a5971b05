import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openTable, readTableSplits, type BitMatrix } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import { describeFamily } from '@orchard/pipeline/conformance';
import { folderOfTest } from '@orchard/storage/testing';
import { sparn } from './index.js';

describeFamily(sparn, { penalty: '8,1' }, { rows: dwellings });

/** Rent that follows from size and city, a heater that some have, and a year that is missing at times. */
async function dwellings(): Promise<readonly [BitMatrix, BitMatrix, BitMatrix]> {
  const stream = new RandomStream(3, 1061);
  const gaussian = (): number => Array.from({ length: 12 }, () => stream.uniform()).reduce((sum, u) => sum + u, -6);
  const lines = Array.from({ length: 250 }, () => {
    const city = ['Kiel', 'Lund', 'Riga'][stream.below(3)]!;
    const size = 60 + 15 * gaussian();
    const rent = 200 + 9 * size + (city === 'Kiel' ? 150 : 0) + 40 * gaussian();
    const isOld = stream.uniform() < 1 / (1 + Math.exp((rent - 750) / 60));
    const year = stream.uniform() < 0.2 ? '' : String(Math.round(1980 + 10 * gaussian()));
    return [city, size.toFixed(2), rent.toFixed(1), isOld ? 'yes' : 'no', year].join();
  });
  const path = join(folderOfTest(), 'table.csv');
  await writeFile(path, ['city,size,rent,old,year', ...lines].join('\n'));
  const train = await openTable(path);
  const splits = await readTableSplits({ train, valid: null, test: null }, { valid: 0.2, test: 0.2 }, 1, {});
  await train.close();
  return [splits.train, splits.valid!, splits.test!];
}
