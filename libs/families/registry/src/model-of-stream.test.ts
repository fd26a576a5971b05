import type { Table } from '@orchard/contracts';
import { codeOffsets, writeCode } from '@orchard/dataset';
import { isExact, isTabular, type TabularModel } from '@orchard/model';
import { RandomStream } from '@orchard/numerics';
import { expect, test } from 'vitest';
import { families, isModelOfStream, modelOfStream, stateBytes, streamFrom, streamOfTable } from './index.js';

const labels = { kind: 'categorical', holes: 0, others: 0 } as const;
const table: Table = {
  variables: [
    { ...labels, name: 'season', labels: ['summer', 'winter', 'spring'], counts: [5, 3, 2] },
    { ...labels, name: 'weather', labels: ['rain', 'sun'], counts: [6, 4] },
    { ...labels, name: 'bike', labels: ['e', 'road', 'city'], counts: [4, 3, 3], holes: 1 },
  ],
  leftOut: [],
  columns: ['season', 'weather', 'bike'],
  missing: '',
};

function rowsOf(count: number): Uint16Array[] {
  const stream = new RandomStream(5, 1043);
  return Array.from({ length: count }, () => {
    const first = stream.below(3);
    return Uint16Array.of(first, stream.below(4) > 0 ? first % 2 : stream.below(2), stream.below(4));
  });
}

/** log P of a row, nats. */
function natsOf(model: TabularModel, row: Uint16Array): number {
  const matrix = model.emptyRows(1);
  const offsets = codeOffsets(table);
  row.forEach((code, index) => writeCode(matrix, 0, offsets[index]!, offsets[index + 1]!, code));
  return model.logLikelihood(matrix)[0]!;
}

test('the model of a stream of categories says what the next row costs, and is a file like any other', () => {
  const options = { seed: 0, perturbation: 0.3 };
  const stream = streamOfTable(table, options);
  for (const row of rowsOf(50)) {
    const model = families.openModel(modelOfStream(stream).toBytes());
    expect(isTabular(model) && isModelOfStream(model)).toBe(true);
    const expected = natsOf(model as TabularModel, row);
    expect(stream.forest.learn(row)).toBeCloseTo(-expected, 9);
  }
  const model = modelOfStream(stream);
  expect(model.sample(20, 1).rows).toBe(20);
  expect(isExact(model)).toBe(false);
});

test('a stream of categories that is stopped and continued is the same bytes', () => {
  const options = { seed: 0, perturbation: 0.3, structure: 'trees' } as const;
  const whole = streamOfTable(table, options);
  let parts = streamOfTable(table, options);
  rowsOf(60).forEach((row, at) => {
    whole.forest.learn(row);
    if (at % 25 === 0) parts = streamFrom(stateBytes(parts));
    parts.forest.learn(row);
  });
  expect(Buffer.compare(stateBytes(whole), stateBytes(parts))).toBe(0);
  expect(parts.table).toEqual(table);
});
