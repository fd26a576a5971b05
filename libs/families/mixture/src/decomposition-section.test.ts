import { attachRows, BitMatrix, shareRows } from '@orchard/dataset';
import { aggregateTemplates, bisectRows, type ClusterTree } from '@orchard/em';
import { RandomStream } from '@orchard/numerics';
import { expect, test } from 'vitest';
import { decompositionSection } from './decomposition-section.js';
import { ForestMixtureModel, mixtureOfProducts } from './forest-mixture-model.js';
import { TreePaths } from './tree-paths.js';

const D = 2;
const names = ['fins', 'wings'];

function treeOf(clusters: number): ClusterTree {
  const stream = new RandomStream(1, 1043);
  const rows = BitMatrix.fromRows(
    Array.from({ length: 200 }, () => Array.from({ length: 9 }, () => String(stream.below(2))).join('')),
  );
  return bisectRows(attachRows(shareRows(rows)), clusters, stream);
}

/** Templates that differ by far more than what is too little to be named. */
function modelOf(clusters: number): { readonly model: ForestMixtureModel; readonly rates: Float64Array } {
  const stream = new RandomStream(2, 1043);
  const rates = Float64Array.from({ length: clusters * D }, () => 0.02 + 0.96 * stream.uniform());
  const drawn = Float64Array.from({ length: clusters }, () => 0.5 + stream.uniform());
  const sum = drawn.reduce((total, own) => total + own, 0);
  const head = { dimensions: D, names, shape: null, specification: null };
  const mixture = mixtureOfProducts(
    drawn.map((own) => own / sum),
    D,
    rates,
  );
  return {
    model: new ForestMixtureModel({ ...head, likelihoods: { train: null, valid: null, test: null } }, mixture),
    rates,
  };
}

/** The words of each cell, line by line; a cell of several lines in each of them. */
function gridOf(section: string): string[][] {
  const [, body = ''] = /<tbody>(.*)<\/tbody>/.exec(section)!;
  const grid: string[][] = [];
  body.split('</tr>').forEach((line, at) => {
    let column = 0;
    for (const [, span = '1', words = ''] of line.matchAll(
      /<t[dh](?: scope="row")?(?: rowspan="(\d+)")?[^>]*>(.*?)<\/t[dh]>/g,
    )) {
      while (grid[at]?.[column] !== undefined) column++;
      for (let row = at; row < at + Number(span); row++) (grid[row] ??= [])[column] = words;
      column++;
    }
  });
  return grid;
}

test.each([2, 6, 40])('of %d components those that are shown are what their line adds up to', async (clusters) => {
  const { model, rates } = modelOf(clusters);
  const tree = treeOf(clusters);
  const grid = gridOf(await decompositionSection(model, tree));
  expect(grid).toHaveLength(Math.min(clusters, 8));
  const odds = Float64Array.from(rates, (rate) => Math.log(rate / (1 - rate)));
  const root = aggregateTemplates(rates, D, tree);
  const found = grid.map(([, , ...cells]) => {
    const sums = names.map((name, dim) =>
      cells.reduce((sum, words) => {
        const [, sign, figure = '0'] = new RegExp(`${name} ([+−])([\\d.]+)`).exec(words) ?? [];
        return sum + (sign === '−' ? -1 : 1) * Number(figure);
      }, root[dim]!),
    );
    // a cell leaves out less than 0.05, and rounds
    const near = (k: number): boolean =>
      sums.every((sum, dim) => Math.abs(sum - odds[k * D + dim]!) < 0.06 * cells.length);
    return Array.from({ length: clusters }, (_, k) => k).filter(near);
  });
  for (const [line, candidates] of found.entries()) {
    const weight = grid[line]![0];
    expect(
      candidates.map(
        (k) => `${(100 * model.mixture.weights[k]!).toFixed(model.mixture.weights[k]! < 0.0995 ? 1 : 0)} %`,
      ),
    ).toContain(weight);
  }
});

test('of each part that the first divisions made the component of most weight is shown', async () => {
  const { model } = modelOf(40);
  const { weights } = model.mixture;
  const tree = treeOf(40);
  const paths = new TreePaths(tree);
  const most = new Map<number, number>();
  weights.forEach((weight, k) => {
    const part = paths.nodesTo(k).find((node) => node < 0 || node >= 7)!;
    most.set(part, Math.max(weight, most.get(part) ?? 0));
  });
  const shown = gridOf(await decompositionSection(model, tree)).map(([weight]) => weight);
  expect(shown.sort()).toEqual(Array.from(most.values(), (weight) => `${(100 * weight).toFixed(1)} %`).sort());
});

test('what two lines have in common is there once, and the two sides of a division are opposite', async () => {
  const section = await decompositionSection(modelOf(40).model, treeOf(40));
  expect(section).toContain('the 8 parts that the first 7 divisions made');
  const grid = gridOf(section);
  const first = [...new Set(grid.map((cells) => cells[2]!))];
  expect(first).toHaveLength(2);
  expect(first[0]!.replace(/[+−]/g, (sign) => (sign === '+' ? '−' : '+'))).toBe(first[1]);
  expect(section.split(first[0]!)).toHaveLength(2);
});

test('a path goes down to its leaf', () => {
  const tree = treeOf(40);
  const { children } = tree;
  const paths = new TreePaths(tree);
  const visit = (node: number, nodes: readonly number[], sides: string): void => {
    if (node < 0) {
      expect([paths.nodesTo(~node), paths.sidesTo(~node), paths.depths[~node]]).toEqual([nodes, sides, nodes.length]);
      return;
    }
    for (const side of [0, 1]) {
      const child = children[2 * node + side]!;
      visit(child, [...nodes, child], sides + String(side));
    }
  };
  visit(0, [], '');
  expect.assertions(40);
});
