// Rows of a table with hidden cells, and the two ways to fill them.
import { isDeepStrictEqual } from 'node:util';
import {
  BitMatrix,
  codeCount,
  codeOffsets,
  holeCode,
  openTable,
  otherCode,
  readCodes,
  readTableSplits,
  writeCode,
} from '@orchard/dataset';
import { families } from '@orchard/registry';
import { RandomStream } from '@orchard/numerics';
import { PARTICLES_OF_TABLES } from '@orchard/model';
import { pickedRows } from './picked-rows.mjs';
import { weighTable } from './table-importance.mjs';

const shares = { valid: 0.1, test: 0.2 };

export const table = {
  samples: PARTICLES_OF_TABLES,
  training: (file) => [file, '--valid-fraction', String(shares.valid), '--test-fraction', String(shares.test)],

  /** Test rows of the table, and a function that hides a share of their cells. */
  async open(network, file, count) {
    const model = families.openModel(network);
    const truth = await testRows(file, model, count);
    const { rows } = truth;
    const { variables: columns } = model;
    const { variables } = model.table;
    const offsets = codeOffsets(model.table);
    const codesOf = (matrix) => {
      const codes = new Uint16Array(rows * columns);
      variables.forEach((_, index) =>
        readCodes(matrix, offsets[index], offsets[index + 1]).forEach((code, row) => {
          codes[row * columns + index] = code;
        }),
      );
      return codes;
    };
    const codes = codesOf(truth);
    // an unknown value is filled in with a value: neither with "missing" nor with "(other)"
    const allowed = variables.map((variable) => {
      const none = [otherCode(variable), holeCode(variable)];
      return Float64Array.from({ length: codeCount(variable) }, (_, code) => (none.includes(code) ? 0 : 1));
    });
    const nats = model.cellLogLikelihoods(truth);
    const chances = variables.map((_, index) => chanceOfValues(model, truth, index, allowed[index]));
    return (share) => {
      const known = BitMatrix.create(rows, model.dimensions);
      const stream = new RandomStream(0, 2000);
      const isHidden = codes.map((code, cell) => {
        const index = cell % columns;
        // what no blank is filled by cannot be hit, and stays known
        const isKnown = stream.uniform() >= share || allowed[index][code] === 0;
        const [from, to] = [offsets[index], offsets[index + 1]];
        if (isKnown) writeCode(known, Math.floor(cell / columns), from, to, 2 ** (to - from) - 1);
        return isKnown ? 0 : 1;
      });
      // log P(row), where a hidden cell that is not missing adds nothing, as completions take it
      const logJoint = new Float64Array(rows);
      nats.forEach((value, cell) => {
        const row = Math.floor(cell / columns);
        logJoint[row] += value - (isHidden[cell] === 1 ? Math.log(chances[cell % columns][row]) : 0);
      });
      return {
        cells: { rows, columns, codes, isHidden, logJoint, codesOf },
        importance: (options) => weighTable(model, { codes, isHidden, allowed, rows }, options),
        sequential: (options) => model.complete(truth, known, options),
      };
    };
  },
};

/** Rows that the model has not been trained on: those that `orchard train` drew for the figures. */
async function testRows(file, model, count) {
  const raw = await openTable(file);
  try {
    const { table: read, test } = await readTableSplits({ train: raw, valid: null, test: null }, shares, 0, {});
    if (!isDeepStrictEqual(read, model.table))
      throw new Error(`got a network of other rows than ${file}, expected one that this benchmark trained: remove it.`);
    return test.selectRows(pickedRows(test.rows, count));
  } finally {
    await raw.close();
  }
}

/** P(a value that a blank may be filled by | earlier ones), by row. */
function chanceOfValues(model, truth, index, allowed) {
  const shares = model.distributionOf(index, truth);
  return Float64Array.from({ length: truth.rows }, (_, row) =>
    allowed.reduce((sum, weight, code) => sum + weight * shares[row * allowed.length + code], 0),
  );
}
