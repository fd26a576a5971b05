import { BitMatrix } from '@orchard/dataset';
import { factsOfRows, type Family } from '@orchard/pipeline';
import { families } from '@orchard/registry';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Terminal } from '../output/terminal.js';
import { temporaryFolder } from '../run.suite.js';
import { RunDirectory } from './run-directory.js';

const folder = temporaryFolder();

/** Who hears of Ctrl-C and SIGTERM; without any the system ends the process at once. */
const listeners = (): number[] => ['SIGINT', 'SIGTERM'].map((signal) => process.listenerCount(signal));

test('Ctrl-C ends a process that makes a long report: nothing holds the signal back once the model is stored', async () => {
  const before = listeners();
  const during: number[][] = [];
  const family: Family = {
    ...families.named('marginals'),
    report: () => {
      during.push(listeners());
      return Promise.resolve('<!doctype html>');
    },
  };
  const rows = BitMatrix.fromRows(['01', '10', '11']);
  const splits = { train: rows, valid: rows, test: null };
  const datasets = factsOfRows(splits);
  const directory = await RunDirectory.create(join(folder, 'run'));
  await directory.keepRows({ splits, datasets });
  const { specification, choice } = family.resolve({}, datasets);
  const request = { family, specification, choice, splits, threads: 1 };
  await directory.produce(request, new Terminal({ json: false, quiet: true }));
  expect(during).toEqual([before]);
  expect(listeners()).toEqual(before);
});
