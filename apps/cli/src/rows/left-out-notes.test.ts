import { expect, test } from 'vitest';
import { leftOutNotes } from './left-out-notes.js';

const columns = (many: number, why: string): { name: string; why: string }[] =>
  Array.from({ length: many }, (_, at) => ({ name: `c${String(at)}`, why }));

test('a few columns that are left out have a line each', () => {
  expect(leftOutNotes([...columns(1, 'it has no values'), { name: 'id', why: 'it rises' }])).toEqual([
    '"c0" is left out: it has no values',
    '"id" is left out: it rises (--type id=… keeps it)',
  ]);
});

test('hundreds that are left out for one reason are one line', () => {
  expect(leftOutNotes([...columns(290, 'it has no values'), ...columns(4, 'it rises')])).toEqual([
    '"c0", "c1", "c2" and 287 more are left out, each because it has no values',
    '"c0", "c1", "c2" and 1 more are left out, each because it rises (--type NAME=… keeps it)',
  ]);
});

test('a type is offered only where it would keep the column', () => {
  expect(
    leftOutNotes([...columns(1, 'it was excluded'), { name: 'tags', why: 'its cells are lists or objects' }]),
  ).toEqual(['"c0" is left out: it was excluded', '"tags" is left out: its cells are lists or objects']);
});
