import { expect, it } from 'vitest';
import { ModelError } from '../errors.js';
import { writeModelFile } from './model-file.js';
import { untold } from './model-head.js';
import { NumberArray } from './number-array.js';

const head = {
  family: 'tests',
  dimensions: 1,
  names: null,
  shape: null,
  specification: null,
  likelihoods: untold,
} as const;

it('more than can be read again is refused before any of it is made', () => {
  let made = 0;
  const half = NumberArray.ofBytesMade(2 ** 31, () => {
    made++;
    return new Uint8Array(2 ** 31);
  });
  const write = (): unknown => writeModelFile(head, { first: half, second: half });
  expect(write).toThrow(ModelError);
  expect(write).toThrow(
    /the file of the model: got .*, expected at most 4294967296 \(4 GiB\), the largest file that can be read again\. Train fewer/,
  );
  expect(made).toBe(0);
});
