import type { Variable } from '@orchard/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codeCount, holeCode, otherCode, valueCount } from './codes.js';
import { decisionTreeOf, pathsOf } from './decision-tree.js';
import { anyVariable } from './random-variables.suite.js';

const labelled = (counts: readonly number[], holes = 0): Variable => ({
  kind: 'categorical',
  name: 'x',
  holes,
  labels: counts.map((_, label) => `l${String(label)}`),
  counts,
  others: 0,
});

/** The path of each code as its outcomes. */
const outcomesOf = (variable: Variable): string[] =>
  pathsOf(decisionTreeOf(variable)).map((path) => path.map(({ outcome }) => outcome).join(''));

/** The least sum of counts times depth that any binary tree has: sums of the two least, again and again. */
function leastCost(counts: readonly number[]): bigint {
  const open = counts.map(BigInt).sort((a, b) => (a < b ? -1 : 1));
  let cost = 0n;
  while (open.length > 1) {
    const sum = open.shift()! + open.shift()!;
    cost += sum;
    const at = open.findIndex((other) => other > sum);
    open.splice(at < 0 ? open.length : at, 0, sum);
  }
  return cost;
}

test('every code has one path, every decision two ways, and none comes before the one that leads to it', () => {
  fc.assert(
    fc.property(anyVariable, (variable) => {
      const tree = decisionTreeOf(variable);
      const codes = codeCount(variable);
      expect([tree.zero.length, tree.one.length]).toEqual([codes - 1, codes - 1]);
      const children = [...tree.zero, ...tree.one];
      const reached = [...children.filter((child) => child < 0).map((child) => -1 - child)].sort((a, b) => a - b);
      if (codes > 1) expect(reached).toEqual(Array.from({ length: codes }, (_, code) => code));
      const inner = children.filter((child) => child >= 0).sort((a, b) => a - b);
      expect(inner).toEqual(Array.from({ length: Math.max(0, codes - 2) }, (_, at) => at + 1));
      for (const side of [tree.zero, tree.one])
        side.forEach((child, decision) => expect(child < 0 || child > decision).toBe(true));
      const paths = pathsOf(tree);
      expect(paths).toHaveLength(codes);
      paths.forEach((path, code) => {
        let child = codes === 1 ? -1 : 0;
        for (const { decision, outcome } of path) {
          expect(decision).toBe(child);
          child = (outcome === 1 ? tree.one : tree.zero)[decision]!;
        }
        expect(child).toBe(-1 - code);
      });
    }),
  );
});

test('absence is decided first, "(other)" next: what is left is as if there were neither', () => {
  fc.assert(
    fc.property(anyVariable, (variable) => {
      const paths = outcomesOf(variable);
      let before = '';
      for (const code of [holeCode(variable), otherCode(variable)]) {
        if (code === null) continue;
        expect(paths[code]).toBe(`${before}1`);
        before += '0';
      }
      expect(paths.slice(0, valueCount(variable)).every((path) => path.startsWith(before))).toBe(true);
    }),
  );
});

test('labels that are frequent are decided by few decisions: no tree has fewer a row', () => {
  fc.assert(
    fc.property(anyVariable, (variable) => {
      if (variable.kind !== 'categorical') return;
      const before = 1 + Number(variable.holes > 0);
      const cost = outcomesOf(variable)
        .slice(0, variable.counts.length)
        .reduce((sum, path, code) => sum + BigInt(variable.counts[code]!) * BigInt(path.length - before), 0n);
      expect(cost).toBe(leastCost(variable.counts));
    }),
  );
});

test('of labels that are equally frequent the earlier go together first, the rarer side is outcome 1', () => {
  // behind the decision on "(other)", whose path is 1: d and c join, then b and a, then both pairs
  expect(outcomesOf(labelled([1, 1, 1, 1]))).toEqual(['011', '010', '001', '000', '1']);
  expect(outcomesOf(labelled([4, 2, 1, 1]))).toEqual(['01', '001', '0001', '0000', '1'].map((path) => path));
  // a pair is behind a label of the same count: the pair came later
  expect(outcomesOf(labelled([1, 1, 2]))).toEqual(['001', '000', '01', '1']);
  expect(outcomesOf(labelled([5]))).toEqual(['0', '1']);
  expect(outcomesOf(labelled([5], 1))).toEqual(['00', '01', '1']);
});

test('ordered values are decided by halving: depths differ by one, and the greater half is outcome 1', () => {
  fc.assert(
    fc.property(anyVariable, (variable) => {
      if (variable.kind === 'categorical') return;
      const paths = outcomesOf(variable).slice(0, valueCount(variable));
      const depths = paths.map(({ length }) => length);
      expect(Math.max(...depths) - Math.min(...depths)).toBeLessThanOrEqual(1);
      expect(paths).toEqual([...paths].sort());
    }),
  );
});

test('the same variable has the same tree, whatever its name and labels', () => {
  fc.assert(
    fc.property(anyVariable, (variable) => {
      const other: Variable =
        variable.kind === 'categorical'
          ? { ...variable, name: 'y', labels: variable.labels.map((label) => `${label}!`) }
          : { ...variable, name: 'y' };
      expect(decisionTreeOf(other)).toEqual(decisionTreeOf(structuredClone(variable)));
    }),
  );
});
