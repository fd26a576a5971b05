import { nameOfDimension, type BitMatrix } from '@orchard/dataset';
import { families } from '@orchard/registry';
import { isExact, isMostProbable, isTabular, type DensityModel } from '@orchard/model';
import { UsageError } from '../errors.js';
import { loadMaskedRows, type LoadedNetwork } from './load-network.js';
import type { DatasetOptions } from '../options/dataset-options.js';
import type { TableFileWords } from '../options/table-options.js';
import { counted } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';
import { csvOfColumns, encodeTable, tableFile, type TextColumn } from '../output/table-file.js';
import { encodeRows, kindOfFile, valuesOf } from '../output/write-rows.js';
import { writeOutput } from '../output/write-output.js';

interface TellOptions extends DatasetOptions, TableFileWords {
  readonly probabilities?: true;
}

/** Of rows with blanks: each blank's distribution, or the most probable values together. Nothing is drawn. */
export async function tellExactly(
  loaded: LoadedNetwork,
  data: string,
  options: TellOptions,
  out: string | undefined,
  terminal: Terminal,
): Promise<void> {
  const { network } = loaded;
  const isOfEach = options.probabilities === true;
  if (isOfEach ? !isExact(network) : !isMostProbable(network)) throw cannotTell(loaded, isOfEach);
  const listing = isOfEach ? tableFile(out) : null;
  const kind = listing !== null || out === undefined ? '.csv' : kindOfFile(out);
  const { values, known } = await loadMaskedRows(data, network, options, terminal);
  const write = async (bytes: Parameters<Terminal['data']>[0], what: string): Promise<void> => {
    if (out === undefined) await terminal.data(bytes);
    else await writeOutput(out, '--out', bytes);
    terminal.note(
      `orchard: ${what} of ${counted(values.rows, 'row')}${out === undefined ? '' : `, in ${out}`}; exactly`,
    );
  };
  if (listing !== null && isExact(network)) {
    const { rates, logEvidence } = network.marginals(values, known);
    const columns = probabilityColumns(network, known, rates);
    await write(await encodeTable(listing.ending, columns), 'probabilities of the missing values');
    terminal.document({
      rows: values.rows,
      logEvidence: [...logEvidence],
      path: out ?? null,
      ...(out === undefined ? { text: csvOfColumns(columns) } : {}),
    });
  } else if (isMostProbable(network)) {
    const { matrix, logLikelihood } = network.mostProbable(values, known);
    await write(await encodeRows(matrix, kind), 'most probable values');
    const shown = out === undefined ? { values: valuesOf(matrix) } : {};
    terminal.document({ rows: values.rows, logLikelihood: [...logLikelihood], path: out ?? null, ...shown });
  }
}

/** `row,column,value,probability`, the more probable value first, as tables have it. */
function probabilityColumns({ dimensions, names }: DensityModel, known: BitMatrix, rates: Float64Array): TextColumn[] {
  const lines: (readonly string[])[] = [];
  for (let row = 0; row < known.rows; row++)
    for (let dim = 0; dim < dimensions; dim++) {
      if (known.get(row, dim) === 1) continue;
      const rate = rates[row * dimensions + dim]!;
      for (const value of rate > 0.5 ? [1, 0] : [0, 1]) {
        const share = value === 1 ? rate : 1 - rate;
        lines.push([String(row + 1), nameOfDimension(dim, names), String(value), share.toPrecision(6)]);
      }
    }
  return ['row', 'column', 'value', 'probability'].map((name, at) => ({ name, texts: lines.map((line) => line[at]!) }));
}

function cannotTell({ path, network }: LoadedNetwork, isOfEach: boolean): UsageError {
  const asked = isOfEach ? 'conditionals' : 'mostProbable';
  const able = families.learning('bits').filter(({ answers }) => answers?.[asked] === 'exact');
  return new UsageError({
    got: `${path}, a model of the family ${network.family}${isTabular(network) ? ', of a table' : ''}`,
    expected: `a model of rows of 0 and 1 that tells this exactly: ${able.map(({ name }) => name).join(', ')}${isOfEach ? '; or that of a table' : '; of a table marginals or chow-liu; some of others, as orchard compare-models says'}`,
    where: isOfEach ? '--probabilities' : '--most-probable',
    remedy:
      'Leave the option out for a sample, or train one of those with --model: orchard compare-models says which suits.',
  });
}
