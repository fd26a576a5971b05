import { attachRows, BitMatrix, shareRows } from '@orchard/dataset';
import { openModel } from '@orchard/model';
import { artefactNames, loadSplits } from '@orchard/pipeline';
import { describeFamily, trainedOn } from '@orchard/pipeline/conformance';
import { describe, expect, test } from 'vitest';
import { candidates } from './candidates.js';
import { clusterTreeOf } from './computations.js';
import { mixture, type ForestMixtureModel } from './index.js';

describeFamily(mixture, { components: '2,3', penalty: [1, 10], steps: 2 });
describeFamily(mixture, { of: 'trees', components: '2,3', pseudoCount: 10, steps: 2 }, { nightly: 'half' });

/**
 * Mean test nats of the thesis, table 5.2; of many components, shrunk along their tree, more than any without that is
 * in README.
 */
test.each([
  ['dna', -97, { components: 256, penalty: 2, steps: 1 }],
  ['mushrooms', -14.46, { components: 64, pseudoCount: 0.1 }],
] as const)('a whole run on %s is likelier than %d nats', async (name, known, words) => {
  const { summary, model } = await trainedOn(name, mixture, words);
  expect(summary.network.testLogLikelihood).toBeGreaterThan(known);
  expect((model as ForestMixtureModel).mixture.weights).toHaveLength(words.components);
});

describe('a run', () => {
  test.each([
    ['of products', { components: '7,5', penalty: [1, 10], restarts: 2, steps: 2 }],
    ['of trees', { of: 'trees', components: '7,5', pseudoCount: [1, 10], restarts: 2, steps: 2 }],
  ] as const)('%s ends in the candidate that is best, and shows it', async (of, words) => {
    const { model, run, store } = await trainedOn('dna', mixture, words);
    const valid: number[] = [];
    for await (const { facts } of candidates.all(store, run)) valid.push(facts.valid);
    expect(valid).toHaveLength(8);
    expect(model.likelihoods.valid).toBeCloseTo(Math.max(...valid), 9);
    const chosen = (model.specification as { chosen: { components: number } }).chosen;
    expect((model as ForestMixtureModel).mixture.weights).toHaveLength(chosen.components);

    const report = await mixture.report(store, run, {});
    expect(report).toContain('The components');
    expect(report).toContain('(chosen)');
    expect(report.includes('Edges of one component')).toBe(of === 'of trees');
    expect(report.match(/<h2[^>]*>The tree of weight [\d.]+ %/g) ?? []).toHaveLength(of === 'of trees' ? 3 : 0);
    expect(report.match(/<th scope="row">[57]( \(chosen\))?<\/th>/g)).toHaveLength(8);
  });

  test('shows the columns by which its components are told apart, with their names', async () => {
    const names = ['wings', 'beak', 'fins', 'size <b>'];
    const rows = BitMatrix.fromRows(
      Array.from({ length: 60 }, (_, row) => (row % 3 === 0 ? '001' : '110') + String(row % 2)),
      { names },
    );
    const { run, model, store } = await trainedOn([rows, rows], mixture, {
      components: 2,
      penalty: 0.1,
      hierarchy: 'l1',
    });
    const report = await mixture.report(store, run, {});
    // of the one division each component is half of what there is between them away from all
    const [one, other] = (model as ForestMixtureModel).mixture.components.map(({ rates }) =>
      [0, 1, 2].map((dim) => Math.log(rates[2 * dim]! / (1 - rates[2 * dim]!))),
    );
    const halves = one!.map((odds, dim) => ({ name: names[dim]!, half: (odds - other![dim]!) / 2 }));
    halves.sort((a, b) => Math.abs(b.half) - Math.abs(a.half));
    for (const sign of [1, -1]) {
      const line = halves.map(({ name, half }) => `${name} ${sign * half > 0 ? '+' : '−'}${Math.abs(half).toFixed(2)}`);
      expect(report.includes(`<span class="note">${line.join('<br>')}</span>`)).toBe(true);
    }
    expect(report).toMatch(/<th scope="row">3\d %<\/th><td>(wings|beak|fins) (0\.\d|99|100) %/);
    expect(report).toContain('size &#60;b&#62; 50 % (of all 50 %)');
  });

  test('shows of images what each side of a division adds, and nothing where it adds nothing', async () => {
    const rows = BitMatrix.fromRows(
      Array.from({ length: 40 }, (_, row) => (row % 2 === 0 ? '110110000' : '000000111')),
      { shape: [3, 3] },
    );
    const { run, store } = await trainedOn([rows, rows], mixture, { components: 2, penalty: 0.1 });
    const report = await mixture.report(store, run, {});
    const lines = report.split('What the components are sums of')[1]!.split('</section>')[0]!.split('<tr>').slice(-2);
    for (const line of lines) {
      const [template, step] = [line.split('</th>')[0]!, line.split('<td').at(-1)!];
      const isAbove = template.includes('<path class="sample" opacity="1" d="M0 0h2v1h-2zM0 1h2v1h-2z"/>');
      const ink = (isSample: boolean): string => `class="${isSample ? 'sample' : 'differing'}" opacity="1" d=`;
      expect(step).toContain(`${ink(isAbove)}"M0 0h2v1h-2zM0 1h2v1h-2z"/>`);
      expect(step).toContain(`${ink(!isAbove)}"M0 2h3v1h-3z"/>`);
      expect(step.match(/<path/g)).toHaveLength(2);
    }
    expect(report).toContain('2 clusters at depth 1.');
  });

  test('has the tree back along which its components were shrunk, of every restart', async () => {
    const words = { components: 9, penalty: 1, steps: 1, restarts: 2, seed: 4 };
    const { run, store } = await trainedOn('dna', mixture, words);
    const { train } = await loadSplits(store, run);
    const { counts } = attachRows(shareRows(train));
    for (const restart of [0, 1]) {
      const bytes = await store.get(`${artefactNames.run(run.id)}candidates/c${String(restart)}`);
      const { weights } = (openModel(bytes, [mixture.codec]) as ForestMixtureModel).mixture;
      const { clusterOf } = clusterTreeOf(run, { components: 9, strength: 1, restart }, train);
      const rows = new Float64Array(9);
      clusterOf.forEach((cluster, row) => (rows[cluster]! += counts[row]!));
      // the first step's weights are those of the clusters
      rows.forEach((own, k) => expect(weights[k]).toBeCloseTo((own + 1) / (train.rows + 9), 12));
    }
  });

  test('shows the components of images as images', async () => {
    const rows = BitMatrix.fromRows(
      Array.from({ length: 40 }, (_, row) => (row % 2 === 0 ? '110110000' : '000000111')),
      { shape: [3, 3] },
    );
    const { run, store } = await trainedOn([rows, rows], mixture, { components: 2, pseudoCount: 0.01 });
    const report = await mixture.report(store, run, {});
    expect(report).toContain('<path class="sample" opacity="1" d="M0 0h2v1h-2zM0 1h2v1h-2z"/>');
    expect(report).toContain('<path class="sample" opacity="1" d="M0 2h3v1h-3z"/>');
    expect(report).not.toContain('What the components are sums of');
  });

  const facts = { id: '0'.repeat(64), rows: 5, dimensions: 3, names: null, shape: null };
  const resolve = (said: object) => mixture.resolve({ ...said }, { train: facts, valid: facts, test: null });

  test('of more columns than can be counted in pairs is refused before anything is done', () => {
    const wide = { ...facts, dimensions: 16_385 };
    expect(() => mixture.resolve({ of: 'trees' }, { train: wide, valid: wide, test: null })).toThrow(
      expect.objectContaining({ code: 'bad-request', got: '16385 columns' }) as Error,
    );
    expect(() => mixture.resolve({}, { train: wide, valid: wide, test: null })).not.toThrow();
  });

  test('is the same run however its lists are written', () => {
    expect(resolve({ components: '16,4, 16' }).specification).toMatchObject({ components: [4, 16] });
    expect(resolve({ components: '16,4' }).runId).toBe(resolve({ components: [4, 16] }).runId);
    expect(resolve({ components: 4 }).runId).toBe(resolve({ components: [4] }).runId);
    expect(resolve({ pseudoCount: '.5,2' }).specification).toMatchObject({ pseudoCount: [0.5, 2] });
  });

  test.each([
    { components: 0 },
    { components: '4,' },
    { components: '4,x' },
    { components: '1.5' },
    { components: [] },
    { components: 9000 },
    { pseudoCount: '1,0' },
    { restarts: 0 },
    { leaves: 3 },
  ])('refuses %o', (words) => {
    expect(mixture.words.safeParse(words).success).toBe(false);
  });

  test('shrinks unless a pseudo-count is said, and takes only what it has a use for', () => {
    expect(resolve({}).specification).toMatchObject({ hierarchy: 'l2', pseudoCount: [], penalty: [0.3, 1, 3] });
    expect(resolve({ pseudoCount: 2 }).specification).toMatchObject({
      hierarchy: 'none',
      pseudoCount: [2],
      penalty: [],
    });
    expect(() => resolve({ pseudoCount: 2, hierarchy: 'l1' })).toThrow(/pseudo-count.*hierarchy none/);
    expect(() => resolve({ pseudoCount: 2, penalty: 1 })).toThrow(/a penalty.*hierarchy l2 or l1/);
  });

  test('of products is the run that it was before there were trees', () => {
    expect(resolve({ of: 'products' }).runId).toBe(resolve({}).runId);
    expect(resolve({}).specification).not.toHaveProperty('of');
  });

  test('of trees tries its own usual words, and refuses what pulls products together', () => {
    const usual = { of: 'trees', hierarchy: 'none', components: [4, 16, 64], pseudoCount: [1, 10, 100], penalty: [] };
    expect(resolve({ of: 'trees' }).specification).toMatchObject(usual);
    expect(resolve({ of: 'trees', hierarchy: 'none' }).runId).toBe(resolve({ of: 'trees' }).runId);
    expect(() => resolve({ of: 'trees', hierarchy: 'l2' })).toThrow(/the hierarchy l2.*only products/);
    expect(() => resolve({ of: 'trees', penalty: 1 })).toThrow(/a penalty.*only products/);
    expect(() => resolve({ of: 'trees', components: '2,513' })).toThrow(/513 trees.*at most 512/);
  });
});
