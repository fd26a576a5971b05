// Where the data sets are.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The wide set is three rows of binarized_mnist side by side, cut at 2,000 columns. */
const wide = { source: 'binarized_mnist', abreast: 3, columns: 2000 };

/** Folders that may hold `<set>/train.data.gz`, in the order in which they are tried. */
export function dataFolders(given) {
  const named = given ?? process.env.ORCHARD_DATA;
  return [named ? resolve(named) : resolve(root, '../shared/data'), join(root, 'test/data')];
}

/** The splits' paths as the programs take them, or null where the set is absent. */
export function locate(set, folders) {
  const { source, abreast, columns } = set === 'wide' ? wide : { source: set, abreast: 1, columns: null };
  for (const folder of folders) {
    const [train, valid, test] = ['train', 'valid', 'test'].map((split) => join(folder, source, `${split}.data.gz`));
    if (existsSync(train) && existsSync(valid)) return { train, valid, test, abreast, columns };
  }
  return null;
}
