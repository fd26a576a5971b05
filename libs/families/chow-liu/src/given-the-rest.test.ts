import { codeCount } from '@orchard/dataset';
import { allCodes, randomVariables, rowsOfCodes, tableOfVariables } from '@orchard/dataset/conformance/tables';
import { chowLiuOfCodes, ChowLiuTable } from '@orchard/forests';
import { givenTheRest, jointOfRows } from '@orchard/model';
import { RandomStream } from '@orchard/numerics';
import { expect, test } from 'vitest';

test.each([0, 1, 2, 3])(
  'of table %i each code of a cell, given all others, is as probable as the joint says',
  (seed) => {
    const variables = randomVariables(seed, 3);
    const stream = new RandomStream(seed, 1021);
    const columns = variables.map((variable) =>
      Uint16Array.from({ length: 50 }, () => stream.below(codeCount(variable))),
    );
    const table = tableOfVariables(variables);
    const none = { specification: null, likelihoods: { train: null, valid: null, test: null } } as const;
    const forest = chowLiuOfCodes(table, columns, columns, { added: 1 });
    const model = new ChowLiuTable({ ...none, table, ...forest });
    const codes = allCodes(variables);
    const rows = rowsOfCodes(model, codes);
    const logs = model.logLikelihood(rows);
    const joint = logs.map(Math.exp);
    variables.forEach((variable, index) => {
      const size = codeCount(variable);
      const shares = givenTheRest(model, rows)(index);
      const nats = jointOfRows(model, rows)(index);
      codes.forEach((row, at) => {
        const alike = codes.flatMap((other, place) =>
          other.every((code, column) => column === index || code === row[column]) ? [place] : [],
        );
        const whole = alike.reduce((sum, place) => sum + joint[place]!, 0);
        for (const place of alike) {
          const code = codes[place]![index]!;
          expect(shares[at * size + code]).toBeCloseTo(joint[place]! / whole, 10);
          // terms are added as in the likelihood: the same bits
          expect(nats[at * size + code]).toBe(logs[place]);
        }
      });
    });
  },
);
