import { operations, type Document } from '@orchard/questions/answer';
import { families } from '@orchard/registry';
import { beforeAll, describe, expect, it } from 'vitest';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DensityModel, TabularModel, TargetScores } from '@orchard/model';
import { orchard, temporaryFolder } from '../run.suite.js';

const folder = temporaryFolder();

/** The size tells the kind; some kinds are missing; a column of 0 and 1 beside them. */
const lines = Array.from({ length: 300 }, (_, row) => {
  const size = (row * 37) % 100;
  const kind = row % 13 === 0 ? '' : ['fir', 'oak', 'ash'][Math.floor(size / 34)]!;
  return `${kind},${(size + (row % 4) / 4).toFixed(2)},${size > 50 ? 'yes' : 'no'}`;
});
writeFileSync(join(folder, 'trees.csv'), `kind,size,tall\n${lines.join('\n')}\n`);
const bits = Array.from({ length: 200 }, (_, row) => [row % 2, row % 2, Number(row % 5 === 0)].join(','));
writeFileSync(join(folder, 'bits.csv'), `a,b,c\n${bits.join('\n')}\n`);

async function trained(file: string, ...words: readonly string[]): Promise<DensityModel> {
  const out = join(folder, `${file}-${words.join('')}`);
  const { code, stderr } = await orchard('train', join(folder, file), ...words, '--no-report', '--quiet', '--out', out);
  expect(code, stderr).toBe(0);
  return families.openModel(readFileSync(join(out, 'network.msgpack')));
}

/** What the answers hold that are asked for here. */
interface Said {
  readonly logLikelihood: Float64Array;
  readonly surprise: Float64Array;
  readonly anomaly: Float64Array;
  readonly row: Int32Array;
  readonly column: Int32Array;
  readonly probability: Float64Array;
  readonly probabilities: Float64Array;
  readonly strengths: Float64Array;
  readonly shares: Float64Array;
  readonly share: number;
  readonly broken: Readonly<Record<string, number>>;
  readonly classes: string[];
  readonly expected: { readonly labels: string[] };
  readonly value: { readonly labels: string[]; readonly places: Int32Array };
  readonly rows: unknown;
  readonly low: unknown;
  readonly high: unknown;
  readonly drift: readonly { readonly column: string }[];
}

const ask = async (model: DensityModel, name: string, question: Document): Promise<Said> =>
  (await operations[name]!(model, question)) as unknown as Said;

/** A fir, an oak whose size is not known, and a tree of which only the size is known. */
const rows = {
  count: 3,
  columns: [
    { name: 'kind', labels: ['fir', 'oak'], places: Int32Array.of(0, 1, -1) },
    { name: 'size', numbers: Float64Array.of(12.25, NaN, 90) },
    { name: 'tall', labels: ['no', 'yes'], places: Int32Array.of(0, 0, 1) },
  ],
};
/** The size of an oak that is not tall is missing. */
const gaps = {
  count: 2,
  columns: [
    { name: 'kind', labels: ['fir', 'oak'], places: Int32Array.of(0, 1) },
    { name: 'size', numbers: Float64Array.of(12.25, NaN) },
    { name: 'tall', labels: ['no', 'yes'], places: Int32Array.of(0, 0) },
  ],
};
const whole = {
  count: 2,
  columns: [
    { name: 'kind', labels: ['fir', 'ash'], places: Int32Array.of(0, 1) },
    { name: 'size', numbers: Float64Array.of(12.25, 12.25) },
    { name: 'tall', labels: ['no'], places: Int32Array.of(0, 0) },
  ],
};

describe.each([
  ['tables', ['--rounds', '30', '--leaves', '4']],
  ['tables of members', ['--rounds', '30', '--leaves', '4', '--members', '2']],
  ['chow-liu', ['--model', 'chow-liu']],
  ['marginals', ['--model', 'marginals']],
])('a model of a table: %s', (kind, words) => {
  let model: TabularModel;
  beforeAll(async () => {
    model = (await trained('trees.csv', ...words)) as TabularModel;
  }, 60_000);

  it('scores rows, and says what is surprising of them', async () => {
    const { logLikelihood, surprise } = await ask(model, 'score', { rows: whole });
    const cells = surprise;
    expect(logLikelihood[0]).toBeCloseTo(-(cells[0]! + cells[1]! + cells[2]!), 9);
    if (kind === 'marginals') return;
    expect(logLikelihood[0]).toBeGreaterThan(logLikelihood[1]! + 1);
    const { anomaly } = await ask(model, 'score', { rows: whole, anomaly: true });
    expect(anomaly).toHaveLength(2);
    expect(anomaly[1]).toBeGreaterThan(anomaly[0]! + 1);
    const { row, probability, expected } = await ask(model, 'explain', { rows: whole, top: 1 });
    // the first row is as expected
    expect([...row]).toEqual([1]);
    expect(probability[0]).toBeLessThan(0.2);
    expect(expected.labels.length).toBeGreaterThan(0);
  });

  it('measures how well a column is predicted, as evaluate does', async () => {
    const scores = (await operations['scoreTarget']!(model, {
      rows: whole,
      target: 'kind',
    })) as unknown as TargetScores;
    const { probabilities, classes } = await ask(model, 'predict', { rows: whole, target: 'kind' });
    const shares = [probabilities[classes.indexOf('fir')]!, probabilities[classes.length + classes.indexOf('ash')]!];
    expect([scores.rows, scores.missing, scores.numbers]).toEqual([2, 0, null]);
    // predict leaves "(other)" out of account
    expect(scores.labels!.logLoss).toBeCloseTo(-(Math.log(shares[0]!) + Math.log(shares[1]!)) / 2, 1);
    await expect(ask(model, 'scoreTarget', { rows: whole, target: 'kinds' })).rejects.toThrow('"kind"');
  });

  it('samples rows under a condition', async () => {
    const given = [
      ['kind', ['fir', 'oak']],
      ['size', [{ from: 20, to: 40 }]],
    ];
    const answer = await ask(model, 'sample', { count: 50, seed: 3, given });
    const [first, second] = (answer['rows'] as { columns: [{ labels: string[] }, { numbers: Float64Array }] }).columns;
    expect(first.labels.every((label) => ['fir', 'oak'].includes(label))).toBe(true);
    expect([...second.numbers].every((size) => size >= 20 && size <= 40)).toBe(true);
    expect(answer['share']).toBeGreaterThan(0);
    await expect(ask(model, 'sample', { count: 1, given: [['kinds', ['fir']]] })).rejects.toThrow('"kinds"');
  });

  it('samples and fills in rows that follow rules, as the command line does', async () => {
    const rules = ["tall = 'no'", 'size <= 30'];
    interface Columns {
      readonly columns: readonly { readonly name: string; readonly numbers?: Float64Array }[];
    }
    const sizesOf = (one: unknown): number[] => {
      const { columns } = one as Columns;
      return [...columns.find(({ name }) => name === 'size')!.numbers!].filter((size) => !Number.isNaN(size));
    };
    const sampled = await ask(model, 'sample', { count: 60, seed: 1, rules });
    expect(Math.max(...sizesOf(sampled.rows))).toBeLessThanOrEqual(30);
    const [filled] = (await ask(model, 'complete', { rows: gaps, seed: 1, samples: 64, rules })).rows as unknown[];
    expect(sizesOf(filled)[1]).toBeLessThanOrEqual(30);
    const points = await ask(model, 'complete', { rows: gaps, point: 'mean', interval: 0.8, rules });
    for (const one of [(points.rows as unknown[])[0], points.low, points.high])
      expect(sizesOf(one)[1]).toBeLessThanOrEqual(30);
    await expect(ask(model, 'sample', { count: 1, rules: ['size <= hight'] })).rejects.toThrow('"hight"');
  });

  it('scores rows under rules: what they forbid is shared out to what they leave', async () => {
    const rule = "tall = 'no'";
    const [plain, ruled] = [await ask(model, 'score', { rows }), await ask(model, 'score', { rows, rules: [rule] })];
    // the third row is tall; of the second the size is not known
    expect([...ruled.logLikelihood.subarray(1)].map(Number.isFinite)).toEqual([true, false]);
    expect(ruled.logLikelihood[0]).toBeGreaterThan(plain.logLikelihood[0]!);
    expect(ruled.logLikelihood[1]).toBeGreaterThan(plain.logLikelihood[1]! - 0.3);
    expect(ruled.broken).toEqual({ [rule]: 1 });
    expect((await ask(model, 'score', { rows, rules: false })).logLikelihood).toEqual(plain.logLikelihood);
  });

  it('fills in several times, by points and with intervals', async () => {
    const several = await ask(model, 'complete', { rows, draws: 3 });
    expect(several['rows']).toHaveLength(3);
    const { rows: points, low, high } = await ask(model, 'complete', { rows, point: 'median', interval: 0.8 });
    const sizes = (document: unknown): Float64Array =>
      (document as { columns: [unknown, { numbers: Float64Array }] }).columns[1].numbers;
    const [below, middle, above] = [sizes(low), sizes((points as unknown[])[0]), sizes(high)].map((own) => own[1]!);
    expect(below! < middle! && middle! < above!).toBe(true);
    if (kind === 'marginals') return;
    expect(below).toBeGreaterThan(15);
    expect(above).toBeLessThan(85);
  });

  it('says what missing values may be, and predicts a column by the joint', async () => {
    const { row, column, value, probability } = await ask(model, 'probabilities', { rows });
    const { labels, places } = value;
    const ofKind = [...row.keys()].filter((at) => row[at] === 2 && column[at] === 0);
    const total = ofKind.reduce((sum, at) => sum + probability[at]!, 0);
    expect(total).toBeGreaterThan(0.95);
    if (kind !== 'marginals') expect(labels[places[ofKind[0]!]!]).toBe('ash');
    const { classes, probabilities } = await ask(model, 'predict', { rows, target: 'kind' });
    const last = [...probabilities.slice(-3)];
    expect(last.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
    if (kind !== 'marginals') expect(classes[last.indexOf(Math.max(...last))]).toBe('ash');
  });

  it('predicts what the likelihoods of the rows with each value are in proportion to', async () => {
    const { classes, probabilities } = await ask(model, 'predict', { rows: whole, target: 'kind' });
    const nats = await Promise.all(
      classes.map(async (label) => {
        const columns = [{ ...whole.columns[0]!, labels: [label, label] }, ...whole.columns.slice(1)];
        return (await ask(model, 'score', { rows: { ...whole, columns } })).logLikelihood[0]!;
      }),
    );
    const total = nats.reduce((sum, own) => sum + Math.exp(own), 0);
    nats.forEach((own, at) => expect(probabilities[at]).toBeCloseTo(Math.exp(own) / total, 9));
  });

  it('knows what depends on what', async () => {
    const { strengths } = await ask(model, 'associations', { rows: 1000 });
    const strength = strengths[1]!;
    if (kind === 'marginals') expect(strength).toBeLessThan(0.3);
    else expect(strength).toBeGreaterThan(0.6);
    expect((await ask(model, 'importance', {})).shares.length).toBe(9);
  });
});

describe.each([
  ['lbarn', ['--rounds', '100']],
  ['chow-liu', ['--model', 'chow-liu']],
])('a model of rows of 0 and 1: %s', (_, words) => {
  let model: DensityModel;
  beforeAll(async () => {
    model = await trained('bits.csv', ...words);
  }, 60_000);
  const some = { count: 2, columns: [{ bits: Uint8Array.of(1, 2, 0, 0, 2, 2) }] };
  const bitsIn = (own: unknown): Uint8Array => (own as { columns: [{ bits: Uint8Array }] }).columns[0].bits;

  it('answers the same questions', async () => {
    const sampled = await ask(model, 'sample', { count: 20, given: [['a', [1]]] });
    const values = bitsIn(sampled['rows']);
    expect([...values].every((bit, at) => at % 3 !== 0 || bit === 1)).toBe(true);
    const { rows: filled } = await ask(model, 'complete', { rows: some, point: 'mode' });
    expect([...bitsIn((filled as [unknown])[0])]).toEqual([1, 1, 0, 0, 0, 0]);
    const { probabilities } = await ask(model, 'predict', { rows: some, target: 'b' });
    expect(probabilities[1]).toBeGreaterThan(0.9);
    expect(probabilities[3]).toBeLessThan(0.1);
    const { strengths } = await ask(model, 'associations', { rows: 1000 });
    expect(strengths[1]).toBeGreaterThan(0.8);
    const bits = Uint8Array.from({ length: 120 }, (_, at) => (at % 3 === 0 ? 1 : 0));
    const odd = { count: 40, columns: [{ bits }] };
    const { anomaly } = await ask(model, 'score', { rows: odd, anomaly: true });
    const { drift, ...raised } = await ask(model, 'alarms', {
      rows: odd,
      usual: new Float64Array(9),
      scores: anomaly,
      rate: 0.1,
    });
    expect([raised.rows, drift.map(({ column }) => column)]).toEqual([
      Int32Array.from(anomaly.keys()),
      expect.arrayContaining(['a', 'b']),
    ]);
    const { surprise, column } = await ask(model, 'explain', { rows: odd, top: 1 });
    expect(column).toHaveLength(40);
    expect(surprise[0]).toBeGreaterThan(0.5);
    await expect(ask(model, 'score', { rows: some })).rejects.toThrow('got a missing value');
    await expect(ask(model, 'score', { rows })).rejects.toThrow('no column "a", "b", "c"');
  });
});
