import { fieldRows } from '@orchard/dataset';
import { labelsOf, TrainingData } from '@orchard/kernel';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, test } from 'vitest';
import { Decisions } from './decisions.js';
import { binary, categorical, ordered, rowsOfCodes, tableOfVariables } from './random-table.suite.js';

const variables = [binary('a'), categorical('label', 12, { others: 4 }), ordered('number', 40, 'density', 4)];
const table = tableOfVariables(variables);
const ordering = Uint32Array.of(0, 1, 2);
const ROWS = 300;

function arranged(): TrainingData {
  const stream = new RandomStream(3, 1);
  const codes = Array.from({ length: ROWS }, () => [stream.below(2), stream.below(5), stream.below(40)]);
  const part = (from: number, to: number) => fieldRows(rowsOfCodes({ table }, codes.slice(from, to)), table, ordering);
  return TrainingData.arrange(
    { train: part(0, 200), valid: part(200, 260), test: part(260, ROWS) },
    { threads: 1, leaves: 4 },
  );
}

describe.each([0, 1, 2])('the decisions of variable %i', (position) => {
  const data = arranged();
  const place = { table, ordering, position };
  const inOrder = new Decisions(data, place);
  const targets = Array.from({ length: inOrder.count }, (_, decision) => inOrder.target(decision));

  test('have the rows that the outcomes before them lead to, each with a label', () => {
    expect(targets[0]!.rows).toEqual(Uint32Array.from({ length: ROWS }, (_, row) => row));
    targets.forEach((target, decision) => {
      expect(target.rows).toEqual(target.rows.toSorted());
      const counts = new Uint32Array(12);
      labelsOf(data, target).forEach((label, row) => counts[4 * data.splitOf(row) + label]!++);
      expect(counts).toEqual(inOrder.counts(decision));
      expect(target.rows.length).toBe(inOrder.rowsOf(decision));
    });
    // a row goes to one side of a decision, so it reaches no other decision there
    const reached = targets.reduce((sum, { rows }) => sum + rows.length, 0);
    const reaching = [0, 1, 2].map((split) => inOrder.reaching(split).reduce((sum, rows) => sum + rows, 0));
    expect(reached).toBe(reaching.reduce((sum, rows) => sum + rows, 0));
  });

  test('are the same asked for again, backwards and here and there', () => {
    const every = [...targets.keys()];
    for (const order of [every, every.toReversed(), every.map((at) => (7 * at) % every.length), [0, 0, ...every]])
      for (const decision of order) expect(inOrder.target(decision)).toEqual(targets[decision]);
  });
});
