import { asTabular, scoreFile } from '@orchard/model';
import { loadNetwork, type LoadedNetwork } from '../models/load-network.js';
import type { Terminal } from '../output/terminal.js';
import { reportNewCells, useRowsOf, type TableRowsOptions } from '../tables/load-table-rows.js';

/** log P of each row of two files under a model. */
export async function scoreRows(
  path: string,
  files: { readonly train: string; readonly test: string },
  options: TableRowsOptions & { readonly seed: number },
  terminal: Terminal,
): Promise<{ readonly train: Float64Array; readonly test: Float64Array }> {
  const loaded = await loadNetwork(path);
  const [train, test] = [
    await scoresOf(loaded, files.train, options, terminal),
    await scoresOf(loaded, files.test, options, terminal),
  ];
  return { train, test };
}

async function scoresOf(
  loaded: LoadedNetwork,
  file: string,
  options: TableRowsOptions & { readonly seed: number },
  terminal: Terminal,
): Promise<Float64Array> {
  const model = asTabular(loaded.network);
  const asked = { missing: 'value', seed: options.seed, withAnomalies: false, withMeans: false } as const;
  const { nats, newCells } = await useRowsOf(file, model, options, terminal, ({ table: raw }) =>
    scoreFile(model, raw, asked),
  );
  reportNewCells(newCells, terminal);
  return nats;
}
