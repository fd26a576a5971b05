import { BitMatrix } from '@orchard/dataset';
import { describeFamily, trainedOn } from '@orchard/pipeline/conformance';
import { describe, expect, test } from 'vitest';
import { compositional, type Compositional } from './index.js';
import { quadrants } from './quadrants.suite.js';
import { steps, type Step } from './steps.js';

// the others are learned as log-odds are, and by code of their own in learn-experts.test.ts
for (const composition of ['max-minus-min', 'max', 'log-odds'])
  describeFamily(compositional, { experts: 3, restarts: 2, steps: 2, composition });

const images = [quadrants(100, 1), quadrants(100, 3), quadrants(100, 2)] as const;

describe('a run', () => {
  const words = { experts: 5, restarts: 2, steps: 2 };

  test('begins each run of EM with a start, and chooses the step by which validation rows are likeliest', async () => {
    const { model, run, store } = await trainedOn(images, compositional, words);
    const all: Step[] = [];
    for await (const { facts } of steps.all(store, run)) all.push(facts);
    for (const restart of [0, 1]) {
      const own = all.filter((step) => step.restart === restart);
      expect(own.map(({ step }) => step)).toEqual([...own.keys()]);
      expect(own.map(({ isLast }) => isLast)).toEqual(own.map((_, at) => at === own.length - 1));
    }
    expect(model.likelihoods.valid).toBeCloseTo(Math.max(...all.map(({ valid }) => valid)), 9);
  });

  test('shows templates as images, how they explain rows, and the steps', async () => {
    const { run, store, summary, model } = await trainedOn(images, compositional, words);
    const report = await compositional.report(store, run, {});
    expect(report.match(/aria-label="A template"/g)).toHaveLength(5);
    expect(report.match(/aria-label="Its explanation"/g)).toHaveLength(12);
    expect(report.match(/<th scope="row">\d \(chosen\)<\/th>/g)).toHaveLength(1);
    expect(summary).toMatchObject({ family: 'compositional', chosen: { restart: expect.any(Number) as number } });
    expect((model as Compositional).experts.count).toBe(5);
  });

  test('shows the columns of which experts are surest, with their names', async () => {
    const names = ['wings', 'beak', 'fins', 'size <b>'];
    const rows = BitMatrix.fromRows(
      Array.from({ length: 60 }, (_, row) => (row % 3 === 0 ? '001' : '110') + String(row % 2)),
      { names },
    );
    const { run, store } = await trainedOn([rows, rows], compositional, { experts: 2 });
    const report = await compositional.report(store, run, {});
    expect(report).toMatch(/(wings|beak|fins) 9\d(\.\d)? %/);
    expect(report).toContain('size &#60;b&#62;');
    expect(report).not.toContain('Rows explained');
  });

  test('on mushrooms is likelier than independent columns, which reach -34.2315 nats', async () => {
    const { summary } = await trainedOn('mushrooms', compositional, { restarts: 1, steps: 3 });
    expect(summary.network.testLogLikelihood).toBeGreaterThan(-34.2315);
  });

  const facts = { id: '0'.repeat(64), rows: 5, dimensions: 3, names: null, shape: null };
  const resolve = (said: object, dimensions = 3) => {
    const data = { ...facts, dimensions };
    return compositional.resolve({ ...said }, { train: data, valid: data, test: null });
  };

  test('says what is usual, and is another run where something else is said', () => {
    expect(resolve({}).specification).toMatchObject({ experts: 8, composition: 'max-minus-min', start: 'sequential' });
    expect(resolve({ experts: 8 }).runId).toBe(resolve({}).runId);
    expect(resolve({ composition: 'max' }).runId).not.toBe(resolve({}).runId);
  });

  test('refuses more experts than can be asked exactly, and says what takes more', () => {
    expect(resolve({ experts: 11 }, 784).specification).toMatchObject({ experts: 11 });
    expect(() => resolve({ experts: 12 }, 784)).toThrow(/12 experts of 784 columns.*at most 11.*model mixture/s);
  });

  test.each([
    { experts: 0 },
    { experts: 17 },
    { experts: '4,5' },
    { composition: 'median' },
    { start: 'zero' },
    { restarts: 0 },
    { steps: 0 },
    { leaves: 3 },
  ])('refuses %o', (said) => {
    expect(compositional.words.safeParse(said).success).toBe(false);
  });
});
