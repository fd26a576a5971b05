import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readDataset } from '@orchard/dataset';
import { decodeCurves, lbarnNames } from '@orchard/lbarn';
import { Network } from '@orchard/model';
import { askOrchard } from '../../infra/ask-orchard.mjs';
import { argv } from '../../infra/command-line.mjs';
import { dataFolders, locate } from '../benchmarks/peers/data.mjs';

/** The splits of a data set as files, or null where it is not there. */
export const filesOf = (set, given) => locate(set, dataFolders(given));

/** What is left out where a data set is not there. */
export function missing(what, set) {
  return { title: `${what}: left out`, notes: [`${set} is not there: give its folder's parent by --data DIR.`] };
}

/** The rows of each split, as bits. */
export async function rowsOf(files) {
  const [train, valid, test] = await Promise.all(
    [files.train, files.valid, files.test].map((file) => readDataset(file)),
  );
  return { train, valid, test };
}

/**
 * Trains networks as a user would, each in a folder of its own below `keep`, where a run that was broken off goes on.
 */
export class Runs {
  constructor(keep, threads) {
    this.keep = keep;
    this.threads = threads;
  }

  /** The baseline: a single tree a column. @returns the document of `orchard train` */
  singleTree(name, files) {
    console.error(`paper: ${name}: single trees`);
    const words = ['--valid', files.valid, '--test', files.test, '--model', 'lbarn', '--preset', 'single-tree'];
    words.push('--criterion', 'likelihood');
    words.push('--out', join(this.keep, `${name}-single-tree`), '--force');
    if (this.threads !== undefined) words.push('--threads', this.threads);
    return askOrchard('train', files.train, ...words, '--json');
  }

  /** The comparison of section 5.1: trees by the residuals alone. @returns the document of `orchard train` */
  async firstOrder(name, files, settings) {
    const { leaves, shrinkage } = settings;
    return (
      await this.train(`${name}-first-order-${leaves}-${shrinkage}`, files, settings, ['--variant', 'gradients=first'])
    ).document;
  }

  /** @returns the document of `orchard train`, the network, and the folder */
  async train(name, files, { leaves, shrinkage, rounds }, more = []) {
    const folder = join(this.keep, name);
    console.error(`paper: ${name}: ${rounds} rounds of ${leaves} leaves, shrinkage ${shrinkage}`);
    const words = argv`--valid ${files.valid} --test ${files.test} --preset paper --select individual --refit`;
    words.push('--leaves', leaves, '--shrinkage', shrinkage, '--rounds', rounds, '--out', folder, '--force');
    if (this.threads !== undefined) words.push('--threads', this.threads);
    const document = await askOrchard('train', files.train, ...words, ...more, '--json');
    return { document, folder, network: Network.from(await readFile(join(folder, 'network.msgpack'))) };
  }
}

/** Validation nats per row after 0, 1, … rounds, all dimensions together. */
export async function validationCurve({ document, folder }, validRows) {
  const { runId, dataset } = document;
  const sum = [];
  for (let dimension = 0; dimension < dataset.dimensions; dimension++) {
    const name = lbarnNames.conditional(runId, dimension);
    const { valid } = decodeCurves(await readFile(join(folder, 'store', name)), name);
    valid.forEach((nats, round) => (sum[round] = (sum[round] ?? 0) + nats / validRows));
  }
  return sum;
}
