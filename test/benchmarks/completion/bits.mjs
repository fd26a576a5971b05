// Rows of 0 and 1 with hidden values, and the two ways to fill them.
import { BitMatrix, readDataset } from '@orchard/dataset';
import { Network } from '@orchard/model';
import { RandomStream } from '@orchard/numerics';
import { completeByImportance } from './importance.mjs';
import { pickedRows } from './picked-rows.mjs';

export const bits = {
  samples: 256,
  training: ({ train, valid }) => [train, '--valid', valid],

  /** Test rows of the set, and a function that hides a share of their values. */
  async open(network, { train }, count) {
    const model = Network.from(network);
    const all = await readDataset(train.replace('train.data.gz', 'test.data.gz'));
    const truth = all.selectRows(pickedRows(all.rows, count));
    const { rows, dimensions: columns } = truth;
    const codesOf = (matrix) =>
      Uint8Array.from({ length: rows * columns }, (_, cell) => matrix.get(Math.floor(cell / columns), cell % columns));
    const cells = { rows, columns, codes: codesOf(truth), logJoint: model.logLikelihood(truth), codesOf };
    return (share) => {
      const mask = BitMatrix.create(rows, columns);
      const stream = new RandomStream(0, 2000);
      const isHidden = Uint8Array.from({ length: rows * columns }, (_, cell) => {
        const isKnown = stream.uniform() >= share;
        mask.set(Math.floor(cell / columns), cell % columns, isKnown);
        return isKnown ? 0 : 1;
      });
      const blanks = () => {
        const matrix = BitMatrix.create(rows, columns);
        matrix.bytes.forEach((_, at) => (matrix.bytes[at] = truth.bytes[at] & mask.bytes[at]));
        return matrix;
      };
      return {
        cells: { ...cells, isHidden },
        importance: (options) => completeByImportance(model, blanks(), mask, options),
        sequential: (options) => model.complete(truth, mask, options),
      };
    };
  },
};
