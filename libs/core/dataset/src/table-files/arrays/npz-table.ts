import { openPromise } from 'yauzl';
import { DatasetError } from '../../errors.js';
import type { RawTable } from '../raw-table.js';
import type { RowFile } from '../../reading/row-file.js';
import type { TableContext } from '../table-options.js';
import { openNpy, type NpyFile } from './npy-file.js';
import { arrayTable } from './npy-table.js';
import { isSparse, openSparse } from './sparse-table.js';

/**
 * Arrays that numpy.savez or scipy.sparse.save_npz wrote: one array of rows, columns of equal length named by their
 * keys, or a sparse matrix. The arrays are unpacked beside the file.
 */
export async function openNpz(file: RowFile, context: TableContext): Promise<RawTable> {
  const paths = await unpack(file, context);
  if (isSparse(paths)) return openSparse(file, context, paths);
  const arrays: NpyFile[] = [];
  for (const [key, path] of paths) arrays.push(await openNpy(path, `${context.name}, array ${JSON.stringify(key)}`));
  if (arrays.length === 1)
    return arrayTable(file, context, arrays, arrays[0]!.shape.length === 1 ? [...paths.keys()] : null, 'npz');
  const isTable = arrays.every(({ shape }) => shape.length === 1 && shape[0] === arrays[0]!.rows);
  if (isTable) return arrayTable(file, context, arrays, [...paths.keys()], 'npz');
  const keys = [...paths.keys()].map((key, i) => `${key} (${arrays[i]!.shape.join(', ')})`);
  throw new DatasetError('format', {
    got: `arrays that are no table together: ${keys.slice(0, 6).join(', ')}`,
    expected: 'one array of rows and columns, or columns of equal length',
    where: context.name,
    remedy: 'Save what is to be learned alone: numpy.savez("table.npz", X=X), or one column a key.',
  });
}

/** The arrays by their keys, in the order of the file. */
async function unpack(file: RowFile, context: TableContext): Promise<Map<string, string>> {
  const paths = new Map<string, string>();
  try {
    const zip = await openPromise(await file.path(), { lazyEntries: true, autoClose: false });
    try {
      for await (const entry of zip.eachEntry()) {
        const key = /^(.*)\.npy$/.exec(entry.fileName)?.[1];
        if (key !== undefined) paths.set(key, await file.keep(await zip.openReadStreamPromise(entry)));
      }
    } finally {
      zip.close();
    }
  } catch (cause) {
    if (cause instanceof DatasetError) throw cause;
    throw new DatasetError(
      'format',
      {
        got: `an archive that does not hold (${(cause as Error).message})`,
        expected: 'a whole .npz file',
        where: context.name,
        remedy: 'Copy the file again, or write it anew with numpy.savez.',
      },
      { cause },
    );
  }
  return paths;
}
