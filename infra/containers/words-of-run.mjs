import { join } from 'node:path';

/** What `train` and `submit` are given alike, in a clone at `root`. @param {string} root @param {string} [rounds] */
export function wordsOfRun(root, rounds = '400') {
  const data = join(root, 'test/data/mushrooms');
  const splits = ['--valid', join(data, 'valid.data.gz'), '--test', join(data, 'test.data.gz')];
  return [join(data, 'train.data.gz'), ...splits, '--preset', 'paper', '--leaves', '8', '--rounds', rounds];
}
