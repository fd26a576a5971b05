import { RandomStream } from '@orchard/numerics';
import { expect, test } from 'vitest';
import { forestParents, type RootedTree } from './rooted-tree.js';
import { mergeTrees } from './swap-rounding.js';

const N = 7;

function randomTree(stream: RandomStream): RootedTree {
  const tree = new Int32Array(N);
  const placed = [N];
  const left = Array.from({ length: N }, (_, column) => column);
  while (left.length > 0) {
    const [column] = left.splice(stream.below(left.length), 1) as [number];
    tree[column] = placed[stream.below(placed.length)]!;
    placed.push(column);
  }
  return tree;
}

/** Whether every column leads to the ground. */
const isTree = (tree: RootedTree): boolean =>
  tree.every((_, column) => {
    let node = column;
    for (let steps = 0; node !== N && steps <= N; steps++) node = tree[node]!;
    return node === N;
  });

const edgesOf = (tree: RootedTree): string[] =>
  Array.from(tree, (parent, column) => [Math.min(column, parent), Math.max(column, parent)].join('-'));

test('two trees become one tree, of their edges alone, in which each is as often as by their weights', () => {
  const stream = new RandomStream(1, 1040);
  for (let pair = 0; pair < 3; pair++) {
    const [one, other] = [randomTree(stream), randomTree(stream)];
    const [first, second] = [new Set(edgesOf(one)), new Set(edgesOf(other))];
    const seen = new Map<string, number>();
    const draws = 4000;
    const before = [...one, ...other];
    let areTrees = true;
    let weight = 0;
    for (let draw = 0; draw < draws; draw++) {
      const merged = mergeTrees({ weight: 0.3, tree: one }, { weight: 0.1, tree: other }, stream);
      weight = merged.weight;
      areTrees &&= isTree(merged.tree);
      for (const edge of edgesOf(merged.tree)) seen.set(edge, (seen.get(edge) ?? 0) + 1);
    }
    for (const edge of new Set([...first, ...second, ...seen.keys()])) {
      const expected = (first.has(edge) ? 0.75 : 0) + (second.has(edge) ? 0.25 : 0);
      expect(Math.abs((seen.get(edge) ?? 0) / draws - expected)).toBeLessThan(0.035);
    }
    expect([areTrees, weight]).toEqual([true, expect.closeTo(0.4, 15)]);
    expect([...one, ...other]).toEqual(before);
  }
});

test('a column that hangs on the ground is a root', () => {
  expect([...forestParents(Int32Array.of(3, 0, 3))]).toEqual([-1, 0, -1]);
});
