import type { Wanted } from '@orchard/contracts';
import type { BitMatrix } from '@orchard/dataset';
import { NOISE_CHANCE, baseRates, type Network } from '@orchard/model';
import { loadDataset, openRun, type Run } from '@orchard/pipeline';
import { families } from '@orchard/registry';
import type { FilesystemStore } from '@orchard/storage';
import { UsageError, messageOf } from '../../output/errors.js';
import type { JudgedBy } from './importance-document.js';
import type { ExplainedTrees, Gains } from './explained-trees.js';
import { storeBeside } from '../../run-folder/store-beside.js';
import { loadRows } from '../../rows/load-network.js';
import type { DatasetOptions } from '../../options/dataset-options.js';
import type { Terminal } from '../../output/terminal.js';

/** What a network's conditionals gain on held-out rows, and which rows those were. */
export interface JudgedTrees {
  readonly gains: Gains;
  /** The rows, where the network that is asked has not seen them: to test its predictors by. */
  readonly unseen: BitMatrix | null;
  readonly judgedBy: JudgedBy;
}

/** The run that a network is of, where its folder still has the run's store. */
interface OwnRun {
  readonly store: FilesystemStore;
  readonly run: Run;
  readonly wanted: Wanted;
}

/**
 * Judges a network by the rows that are given, or else by those that its run kept in the store beside it: the test
 * rows, or where there are none the validation rows. Null where there are neither.
 *
 * @throws UsageError where the given rows are those that the network was fitted on or chosen by
 */
export async function judgeTrees(
  path: string,
  data: string | undefined,
  network: ExplainedTrees,
  options: DatasetOptions,
  terminal: Terminal,
): Promise<JudgedTrees | null> {
  const own = await findRun(path, network, terminal);
  if (data === undefined) return own === null ? null : judgeByRun(own, network);
  const matrix = await loadRows(data, network.model, options, terminal);
  const { train, valid } = settingsOf(network);
  const id = matrix.contentHash();
  if (id === train || id === valid) {
    throw new UsageError({
      got: `${data}, the ${id === train ? 'training rows that the network was fitted on' : 'validation rows that chose its rounds'}`,
      expected: 'rows that it has not seen',
      where: 'DATA',
      remedy: 'Give other rows, or none: the run beside the network has its own.',
    });
  }
  const [rates, origin] =
    own !== null
      ? [baseRates(await loadDataset(own.store, own.run.specification.train)), 'training rows' as const]
      : (startRates(network) ?? [baseRates(matrix), 'the held-out rows' as const]);
  return judged(network.gains({ matrix, rates }), matrix, { split: 'data', beforeRefit: false, rates: origin });
}

async function judgeByRun({ store, run, wanted }: OwnRun, network: ExplainedTrees): Promise<JudgedTrees | null> {
  const held = (await families.of(run).heldOut?.(store, run, wanted, network.model)) ?? null;
  if (held === null) return null;
  const { rows: matrix, rates, gains, split, beforeRefit } = held;
  const told = gains === null ? network.gains({ matrix, rates }) : { whole: gains, members: [gains] };
  return judged(told, beforeRefit ? null : matrix, { split, beforeRefit, rates: 'training rows' });
}

function judged(
  gains: Gains,
  unseen: BitMatrix | null,
  how: Pick<JudgedBy, 'split' | 'beforeRefit' | 'rates'>,
): JudgedTrees {
  return {
    gains,
    unseen,
    judgedBy: {
      ...how,
      rows: gains.whole.rows,
      sumOfWeights: null,
      neededEvidence: gains.whole.needed,
      chance: NOISE_CHANCE,
    },
  };
}

/** The run whose store lies in the network's folder; null where there is none, or where it is another's. */
async function findRun(path: string, network: ExplainedTrees, terminal: Terminal): Promise<OwnRun | null> {
  const { runId, selection, refit } = settingsOf(network);
  if (typeof runId !== 'string') return null;
  try {
    const store = await storeBeside(path);
    if (store === null) return null;
    const run = await openRun(store, runId);
    const wanted = families.of(run).wanted.safeParse({ selection, refit });
    return wanted.success ? { store, run, wanted: wanted.data as Wanted } : null;
  } catch (error) {
    terminal.note(`orchard: the store beside the network cannot judge it: ${messageOf(error)}`);
    return null;
  }
}

/** What the network's file says of the run that made it; nothing of it need be there. */
function settingsOf({ specification }: ExplainedTrees): Readonly<Record<string, unknown>> {
  const isMap = typeof specification === 'object' && specification !== null && !Array.isArray(specification);
  return isMap ? (specification as Readonly<Record<string, unknown>>) : {};
}

/** A network that starts at the base rates of its training rows has them in its file. */
function startRates(network: ExplainedTrees): [Float64Array, 'start of the network'] | null {
  if (settingsOf(network)['start'] !== 'base-rate') return null;
  const rates = new Float64Array(network.dimensions);
  // those of a mixture's members differ by the folds that they leave out: a little
  const [{ ensembles, ordering }] = network.networks as readonly [Network];
  ensembles.forEach(({ startOdds }, position) => {
    rates[ordering[position]!] = startOdds / (1 + startOdds);
  });
  return [rates, 'start of the network'];
}
