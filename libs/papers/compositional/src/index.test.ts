import { BitMatrix } from '@orchard/dataset';
import { describeFamily, trainedOn } from '@orchard/pipeline/conformance';
import { describe, expect, test } from 'vitest';
import { quadrants } from './compositions/index.js';
import { compositional, PlacedCompositional, type Compositional } from './index.js';
import { steps, type Step } from './steps.js';

describeFamily(compositional, { experts: 3, restarts: 2, steps: 2, composition: 'max-minus-min' });

// the others are learned as log-odds are, and by code of their own in learn-experts.test.ts
for (const composition of ['max', 'log-odds'])
  describeFamily(compositional, { experts: 3, restarts: 2, steps: 2, composition }, { nightly: 'all' });

describeFamily(compositional, { experts: 17, restarts: 1, steps: 2 }, { nightly: 'all' });

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

  test('of more experts than can be asked exactly has a bound, and says so', async () => {
    const { model, run, store, summary } = await trainedOn(images, compositional, {
      experts: 17,
      restarts: 1,
      steps: 1,
    });
    expect(model).toBeInstanceOf(PlacedCompositional);
    expect(summary).toMatchObject({ likelihoodIs: 'lower bound' });
    const report = await compositional.report(store, run, {});
    expect(report).toContain('nats per row on the validation rows, at least (a lower bound)');
    expect(report).not.toContain('Where they lie');
  });

  test('looks for templates anywhere in images, and reports where they lie', async () => {
    const words = { experts: 2, restarts: 1, steps: 1, shifts: 1, turns: 10 };
    const { model, run, store } = await trainedOn(images, compositional, words);
    expect((model as PlacedCompositional).placed.places.count).toBe(27);
    const report = await compositional.report(store, run, {});
    expect(report).toMatch(/Where they lie[^]*pixels down[^]*tens of degrees turned[^]* ± /);
  });

  test('says nothing of places where there is one, as before there was such an option', () => {
    expect(resolve({ shifts: 0, turns: 0 }).runId).toBe(resolve({}).runId);
    expect(resolve({}).specification).not.toHaveProperty('shifts');
  });

  test.each([
    [{ shifts: 1 }, 3, null, /rows that are no images.*--shape/s],
    [{ turns: 10, composition: 'mean' }, 6, [2, 3], /mean.*max-minus-min or max/s],
    [{ shifts: 3 }, 6, [2, 3], /3 pixels.*less than the image has/s],
    [{ experts: 100, shifts: 5 }, 784, [28, 28], /100 experts at 121 places.*at most 22 experts/s],
  ] as const)('refuses %o of %i columns', (said, dimensions, shape, why) => {
    const data = { ...facts, dimensions, shape: shape === null ? null : ([...shape] as [number, number]) };
    expect(() => compositional.resolve({ ...said }, { train: data, valid: data, test: null })).toThrow(why);
  });

  test.each([
    { experts: 0 },
    { experts: 1001 },
    { shifts: -1 },
    { turns: 15 },
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
