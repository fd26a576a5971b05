import type { OrderedVariable, Table } from '@orchard/contracts';
import { measured, tableOfVariables } from '@orchard/dataset/conformance/tables';
import { describe, expect, it } from 'vitest';
import { ModelError } from '../errors.js';
import { readModelFile, writeModelFile } from './model-file.js';
import type { ModelHead } from './model-head.js';
import { sealed } from './sealed.suite.js';

const days = { type: 'date', time: null } as const;
const durations = { type: 'duration', digits: 3 } as const;
const dollars = { type: 'number', decimals: 2, places: 2, padded: true } as const;
const times = { type: 'time', seconds: false, digits: 0 } as const;

/** A model of one column, of three moments and of any other: three bits. */
function headOf(format: OrderedVariable['format'], beyond?: 'geometric'): ModelHead {
  const variable: OrderedVariable = {
    ...(beyond !== undefined && { beyond }),
    kind: 'ordered',
    name: 'departure',
    holes: 0,
    format,
    measure: 'mass',
    edges: [90, 150],
    values: [60, 120, 180],
    counts: [1, 2, 3],
    tails: null,
    range: [60, 180],
    cuts: [1, 2],
  };
  const table = { variables: [variable], leftOut: [], columns: ['departure'], missing: '' };
  const likelihoods = { train: null, valid: null, test: null };
  return { family: 'tables', dimensions: 2, names: null, shape: null, table, specification: {}, likelihoods };
}

/** The number behind the word version: the last of the first 32 bytes. */
const VERSION_AT = 31;

describe('the file of a model of a table', () => {
  it.each([
    ['with times of day', times, undefined, 3],
    ['without times of day', days, undefined, 2],
    ['with durations', durations, undefined, 6],
    ['with durations, that says how unseen values are spread', durations, 'geometric' as const, 6],
    ['that says how unseen values are spread', times, 'geometric' as const, 4],
  ])('%s is of version %4$i, and read again', (_, format, beyond, version) => {
    const file = writeModelFile(headOf(format, beyond), {});
    expect(file[VERSION_AT]).toBe(version);
    expect(readModelFile(file).head).toEqual(headOf(format, beyond));
  });

  it.each([
    ['with times of day as 2', times, 2],
    ['without times of day as 3', days, 3],
    ['with durations as 4', durations, 4],
    ['without durations as 6', days, 6],
  ])('%s is refused: one model has one file', (_, format, version) => {
    const file = writeModelFile(headOf(format), {});
    file[VERSION_AT] = version;
    expect(() => readModelFile(sealed(file))).toThrow(ModelError);
    expect(() => readModelFile(sealed(file))).toThrow(`version: got ${String(version)}`);
  });

  it('is of version 6 where pooled labels have shares, and read again; of fewer rows than labels it is refused', () => {
    const headWith = (otherLabels: number): ModelHead => {
      const kind = { kind: 'categorical', name: 'kind', holes: 0, labels: ['a', 'b'], counts: [5, 3] } as const;
      const variable = { ...kind, others: 4, otherLabels };
      return { ...headOf(days), table: { variables: [variable], leftOut: [], columns: ['kind'], missing: '' } };
    };
    const file = writeModelFile(headWith(3), {});
    expect(file[VERSION_AT]).toBe(6);
    expect(readModelFile(file).head).toEqual(headWith(3));
    expect(() => writeModelFile(headWith(5), {})).toThrow('otherLabels');
  });

  it('is of version 7 where columns are often equal, and read again; as 4, and of 7 without them, it is refused', () => {
    const variables = [measured('bill', 3, 0), measured('paid', 4, 0)];
    const table = { ...tableOfVariables(variables), equalities: [{ one: 'bill', other: 'paid', share: 0.5 }] };
    const head: ModelHead = { ...headOf(days), dimensions: 4, table };
    const file = writeModelFile(head, {});
    expect(file[VERSION_AT]).toBe(7);
    expect(readModelFile(file).head).toEqual(head);
    for (const [other, version] of [
      [head, 4],
      [{ ...head, table: tableOfVariables(variables) }, 7],
    ] as const) {
      const changed = writeModelFile(other, {});
      changed[VERSION_AT] = version;
      expect(() => readModelFile(sealed(changed))).toThrow(`version: got ${String(version)}`);
    }
  });

  it('is of version 23 where a column is near a sum, and read again; as 4, and of 23 without one, it is refused', () => {
    const variables = [measured('bill', 3, 0), measured('paid', 4, 0), measured('next', 3, 0)];
    const of = (sums: Table['sums']): ModelHead => ({
      ...headOf(days),
      dimensions: 6,
      table: { ...tableOfVariables(variables), ...(sums !== undefined && { sums }) },
    });
    const head = of([{ total: 'bill', parts: ['paid', 'next'] }]);
    const file = writeModelFile(head, {});
    expect(file[VERSION_AT]).toBe(23);
    expect(readModelFile(file).head).toEqual(head);
    for (const [other, version] of [
      [head, 4],
      [of(undefined), 23],
    ] as const) {
      const changed = writeModelFile(other, {});
      changed[VERSION_AT] = version;
      expect(() => readModelFile(sealed(changed))).toThrow(`version: got ${String(version)}`);
    }
    for (const parts of [
      ['paid', 'paid'],
      ['bill', 'next'],
      ['paid', 'other'],
    ] as const)
      expect(() => writeModelFile(of([{ total: 'bill', parts }]), {})).toThrow('sums');
  });

  it('is of version 25 where values keep to a grid, and read again; as 4, and of 25 without one, it is refused', () => {
    const of = (grid: OrderedVariable['grid']): ModelHead => ({
      ...headOf(days),
      table: tableOfVariables([
        { ...(measured('bill', 3, 0) as OrderedVariable), ...(grid !== undefined && { grid }) },
      ]),
    });
    const head = of({ step: 25, first: 5 });
    const file = writeModelFile(head, {});
    expect(file[VERSION_AT]).toBe(25);
    expect(readModelFile(file).head).toEqual(head);
    for (const [other, version] of [
      [head, 4],
      [of(undefined), 25],
    ] as const) {
      const changed = writeModelFile(other, {});
      changed[VERSION_AT] = version;
      expect(() => readModelFile(sealed(changed))).toThrow(`version: got ${String(version)}`);
    }
    for (const grid of [
      { step: 1, first: 0 },
      { step: 25, first: 25 },
    ])
      expect(() => writeModelFile(of(grid), {})).toThrow('grid');
  });

  it('is of version 7 where clocks are written as 8:30 PM, and read again', () => {
    const head = headOf({ ...times, clock: { padded: false, morning: ' AM' } });
    const file = writeModelFile(head, {});
    expect(file[VERSION_AT]).toBe(7);
    expect(readModelFile(file).head).toEqual(head);
  });

  it.each([
    ['years have two digits', { order: 'mdy', separator: '/', month: 'number', padded: false, shortYear: true }, days],
    ['losses stand in brackets', { prefix: '$', suffix: '', thousands: ',', point: '.', bracketed: true }, dollars],
  ])('is of version 9 where %s, and read again; as 2, and of 9 without them, it is refused', (_, written, format) => {
    const head = headOf({ ...format, written } as OrderedVariable['format']);
    const file = writeModelFile(head, {});
    expect(file[VERSION_AT]).toBe(9);
    expect(readModelFile(file).head).toEqual(head);
    file[VERSION_AT] = 2;
    expect(() => readModelFile(sealed(file))).toThrow('version: got 2');
    const plain = writeModelFile(headOf(format), {});
    plain[VERSION_AT] = 9;
    expect(() => readModelFile(sealed(plain))).toThrow('version: got 9');
  });

  it.each<readonly [string, OrderedVariable['format']]>([
    ['days are written as midnights', { ...days, midnight: 'T00:00:00' }],
    ['durations are clocks', { ...durations, clock: { seconds: true, padded: false } }],
  ])('is of version 15 where %s, and read again; as 6 it is refused', (_, format) => {
    const file = writeModelFile(headOf(format), {});
    expect(file[VERSION_AT]).toBe(15);
    expect(readModelFile(file).head).toEqual(headOf(format));
    file[VERSION_AT] = 6;
    expect(() => readModelFile(sealed(file))).toThrow('version: got 6');
  });

  it('is of version 17 where rules hold, and read again; as 4, and of 17 without them, it is refused', () => {
    const plain = headOf(days);
    const rules = [{ words: 'start <= end' }, { words: 'combination(a, b)', combinations: [[0, 1]] }];
    const head: ModelHead = { ...plain, table: { ...plain.table!, rules } };
    const file = writeModelFile(head, {});
    expect(file[VERSION_AT]).toBe(17);
    expect(readModelFile(file).head).toEqual(head);
    for (const [other, version] of [
      [head, 2],
      [plain, 17],
    ] as const) {
      const changed = writeModelFile(other, {});
      changed[VERSION_AT] = version;
      expect(() => readModelFile(sealed(changed))).toThrow(`version: got ${String(version)}`);
    }
    const empty: ModelHead = { ...plain, table: { ...plain.table!, rules: [] } };
    expect(() => writeModelFile(empty, {})).toThrow('rules');
  });

  const named = { order: 'dmy', separator: '-', month: 'short', padded: true } as const;
  const byNumber = { separator: '', month: 'number', padded: true, whole: 'digits' } as const;
  const moment = { separator: ' ', seconds: true, digits: 3, zone: '' } as const;
  it.each<readonly [string, OrderedVariable['format']]>([
    ['months have capitals', { ...days, written: { ...named, letters: 'upper' } }],
    ['nothing stands between day, month and year', { ...days, written: { ...named, separator: '' } }],
    ['days are whole numbers', { ...days, written: { ...byNumber, order: 'ymd' } }],
    ['months are whole numbers', { ...days, written: { ...byNumber, order: 'ym', whole: 'point' } }],
    ['times of day are whole numbers', { ...times, clock: { padded: false, morning: '', whole: 'digits' } }],
    ['dates are months', { ...days, written: { order: 'my', separator: ' ', month: 'long', padded: true } }],
    ['a comma stands before milliseconds', { ...days, time: { ...moment, fraction: { comma: true } } }],
    ['nanoseconds are written', { ...days, time: { ...moment, digits: 6, fraction: { zeros: 3 } } }],
    ['a zone is called UTC', { ...days, time: { ...moment, zone: ' UTC' } }],
    ['two digits of a year stand behind a dash', { ...days, written: { ...named, month: 'number', shortYear: true } }],
  ])('is of version 11 where %s, and read again; as 9 it is refused', (_, format) => {
    const head = headOf(format);
    const file = writeModelFile(head, {});
    expect(file[VERSION_AT]).toBe(11);
    expect(readModelFile(file).head).toEqual(head);
    file[VERSION_AT] = 9;
    expect(() => readModelFile(sealed(file))).toThrow('version: got 9');
  });

  it('of version 3 is refused where a byte of it was changed', () => {
    const file = writeModelFile(headOf(times), {});
    file[file.length - 40]! ^= 1;
    expect(() => readModelFile(file)).toThrow('SHA-256');
  });
});
