import { codecs } from '@orchard/papers/codecs';
import { families as inPackage } from '@orchard/papers';
import { Families, loadPackage } from '@orchard/pipeline';
import { expect, test } from 'vitest';
import { families } from './index.js';
import { contents, papers } from './papers.js';

test('an experimental kind of model can be trained and read, stands after the others, and is never the usual one', () => {
  const marks = families.all.map((family) => families.isExperimental(family));
  expect(marks).toEqual([...marks].sort());
  expect(families.all.filter((_, at) => marks[at])).toEqual(papers.families);
  for (const kind of ['bits', 'table'] as const)
    expect(families.isExperimental(families.usualFor(kind), kind)).toBe(false);
  const sparn = families.named('sparn');
  expect([families.isExperimental(sparn), families.isExperimental(sparn, 'table')]).toEqual([false, true]);
});

test('what is said of the package where it is not installed is what it has', () => {
  expect(families.absent).toEqual([]);
  expect(contents.families).toEqual(inPackage.map(({ name }) => name));
  expect([...contents.files].sort()).toEqual(codecs.map(({ family }) => family).sort());
  // files that other kinds of models end in too are read without it
  const rest = families.all.filter((family) => !inPackage.includes(family));
  const read = rest.flatMap(({ codec, otherCodecs = [] }) => [codec, ...otherCodecs]).map(({ family }) => family);
  expect(contents.files.filter((family) => read.includes(family))).toEqual([]);
});

test('every program has the package of its own release, or none', async () => {
  const without = await loadPackage(contents, () => Promise.reject(new Error('of another release')));
  expect(without.families).toEqual([]);
  expect(() => new Families([], { absent: [without.absent!] }).named('partition')).toThrow(
    'It is installed and was not loaded (of another release). Install the @orchard/papers of this program',
  );
});
