import { Mixture, mixtureOf } from '@orchard/members';
import { hashOf, isCompactable, type DensityModel } from '@orchard/model';
import { UsageError } from '../output/errors.js';
import { loadNetwork, networkArgument } from '../rows/load-network.js';
import { declareCommand } from '../options/add-command.js';
import { outOption } from '../options/repeated-options.js';
import { bytes as sizeOf, counted } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';
import { writeOutput } from '../output/write-output.js';
import { option, type Parsed } from '../options/option.js';

/** Rows that both models are compared on: sampled from the first one. */
const COMPARED_ROWS = 1000;

const compactOptions = () => [
  outOption('-o, --out <file>', 'file to write; the name of the model file itself replaces it'),
  option('--force', 'write the file even if it would not be smaller'),
];

type CompactOptions = Parsed<typeof compactOptions>;

export const addCompactCommand = declareCommand(
  {
    name: 'compact',
    description:
      'Rewrite a model file of an earlier release in the format of this one, which is several times smaller.',
    places: [['<NETWORK>', networkArgument]],
    options: compactOptions,
    examples: [
      ['orchard compact old/network.msgpack --out small.msgpack', ''],
      ['orchard compact model.msgpack --out model.msgpack', 'replace the file'],
    ],
    notes: [
      'Leaf factors are rounded to 16 significant bits and gains to 8: a log-odds moves by at most 2^-16 per tree. The command',
      'measures how far log-likelihoods move, on 1,000 rows sampled from the model. The figures of training stay as they were.',
      'Samples of the same seed may differ in a few values. Models without boosted trees are written as they are.',
    ],
  },
  compact,
);

async function compact(given: string, { out, force }: CompactOptions, terminal: Terminal): Promise<void> {
  if (out === undefined) {
    throw new UsageError({
      got: 'no file to write',
      expected: 'one',
      where: '--out',
      remedy: `Name a file, or give ${given} itself to replace it.`,
    });
  }
  const { network, bytes, path } = await loadNetwork(given);
  const compacted = compactModel(network);
  const made = compacted.toBytes();
  if (made.length >= bytes.length && force !== true) {
    throw new UsageError({
      got: `${path}, which would take ${sizeOf(made.length)} instead of ${sizeOf(bytes.length)}`,
      expected: 'a model of boosted trees in the format of an earlier release',
      where: 'NETWORK',
      remedy: 'Keep the file: it is as small as this release writes it. --force writes it again.',
    });
  }
  const moved = differenceOf(network, compacted);
  await writeOutput(out, '--out', made);
  terminal.result(
    `${out}: ${sizeOf(made.length)}, before ${sizeOf(bytes.length)} (${(bytes.length / made.length).toFixed(1)} times)\n` +
      `On ${counted(COMPARED_ROWS, 'row')} sampled from the model, the log-likelihood moves by at most ${moved.largest.toExponential(1)} nats per row, ` +
      `its mean by ${Math.abs(moved.mean).toExponential(1)}.`,
  );
  terminal.document({
    path: out,
    bytes: made.length,
    bytesBefore: bytes.length,
    sha256: hashOf(made).digest('hex'),
    rows: COMPARED_ROWS,
    largestDifference: moved.largest,
    meanDifference: moved.mean,
  });
}

/** By how much log P of rows moves, in nats: of one row at most, and their mean. */
function differenceOf(before: DensityModel, after: DensityModel): { readonly largest: number; readonly mean: number } {
  const rows = before.sample(COMPARED_ROWS, 0);
  const first = before.logLikelihood(rows);
  const moves = after.logLikelihood(rows).map((nats, row) => nats - first[row]!);
  const largest = moves.reduce((most, move) => Math.max(most, Math.abs(move)), 0);
  return { largest, mean: moves.reduce((sum, move) => sum + move, 0) / moves.length };
}

/** The model with rounded trees, in its members too; the same one where it has no trees that are rounded. */
function compactModel(model: DensityModel): DensityModel {
  if (isCompactable(model)) return model.compacted();
  if (!(model instanceof Mixture)) return model;
  const { members, weights, specification, likelihoods } = model;
  return mixtureOf({ members: members.map(compactModel), weights, specification, likelihoods });
}
