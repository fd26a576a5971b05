import { temporaryFolder } from '@orchard/storage/testing';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepThreads } from '@orchard/pipeline';
import { families } from '@orchard/registry';
import { beforeAll, describe, expect, it } from 'vitest';
import { orchard } from '../../apps/cli/src/run.suite.js';
import { root } from '../cli/orchard.js';
import { pythonWithMsgpack } from './python-with-msgpack.js';

const format = readFileSync(join(root, 'libs/core/model/FORMAT.md'), 'utf8');
const reader = [...format.matchAll(/```python\n([^]*?)```/g)].map(([, block = '']) => block).join('\n');
const python = pythonWithMsgpack();

const folder = temporaryFolder();

/** Pseudo-random numbers, so that every run learns the same. */
function* numbers(): Generator<number, never> {
  for (let state = 7; ; state = (state * 48271) % 2147483647) yield state / 2147483647;
}
const random = numbers();
const chance = (): number => random.next().value;

const bits = Array.from({ length: 150 }, () => {
  const [a, c, e] = [chance() < 0.5, chance() < 0.3, chance() < 0.6];
  const [b, d, f] = [a === chance() < 0.9, (a && c) === chance() < 0.9, (c ? a : e) === chance() < 0.8];
  return [a, b, c, d, e, f].map((bit) => String(Number(bit)));
});
/**
 * Labels with missing ones, a measurement, whole numbers, two labels, a measurement that is often 0, one that is often
 * the first, and the product of both.
 */
const table = Array.from({ length: 400 }, (_, row) => {
  const size = 100 * chance() * chance();
  const kind = row % 13 === 0 ? '' : ['fir', 'oak', 'ash'][Math.min(2, Math.floor(size / 20))]!;
  const often = chance() < 0.6 ? '0' : (9 * chance()).toFixed(3);
  const same = chance() < 0.3 ? size : 100 * chance();
  const area = (size * same + 50 * chance()).toFixed(1);
  const isTall = size > 30 ? 'yes' : 'no';
  return [kind, size.toFixed(3), String(Math.floor(size / 10)), isTall, often, same.toFixed(3), area];
});
/** Bills, what is paid of them, and the next bills: the rest and what is spent. */
const bills = Array.from({ length: 900 }, () => {
  const [before, paid] = [1000 + 9000 * chance(), 20 + 400 * chance()];
  return [before, before - paid + 60 * chance(), paid].map((value) => value.toFixed(2));
});
const files = {
  bits: ['a,b,c,d,e,f', bits],
  table: ['kind,size,count,tall,often,same,area', table],
  bills: ['before,next,paid', bills],
} as const;
const SCORED = 20;

beforeAll(() => {
  keepThreads(60_000);
  for (const [name, [head, rows]] of Object.entries(files)) {
    const write = (file: string, some: readonly (readonly string[])[]): void =>
      writeFileSync(join(folder, file), `${head}\n${some.map((row) => row.join(',')).join('\n')}\n`);
    write(`${name}.csv`, rows);
    write(`${name}-scored.csv`, rows.slice(0, SCORED));
  }
});

const models: readonly (readonly [keyof typeof files, string])[] = [
  ['bits', '--rounds 5'],
  ['bits', '--rounds 4 --members 2'],
  ['bits', '--model marginals'],
  ['bits', '--model chow-liu'],
  ['bits', '--model cutset --min-rows 20'],
  ['bits', '--model boosted'],
  ['bits', '--model boosted --weak network --components 4 --refits 1'],
  ['bits', '--model mixture --components 2'],
  ['bits', '--model mixture --components 2 --of trees'],
  ['bits', '--model sparn'],
  ['bits', '--model sparn --components 2'],
  ['bits', '--model sparn --components 2 --intervals 2'],
  ['bits', '--model compositional --experts 3'],
  ['bits', '--model compositional --experts 3 --composition log-odds'],
  ['bits', '--model partition --experts 3'],
  ['table', '--rounds 6 --members 1'],
  ['table', '--rounds 3 --members 2'],
  ['bills', '--rounds 4 --members 1'],
  ['table', '--model marginals'],
  ['table', '--model chow-liu'],
  ['table', '--model sparn'],
  ['table', '--model boosted --components 3 --refits 1'],
  ['table', '--model boosted --weak network --components 3 --refits 1'],
  ['table', '--model partition --experts 3 --restarts 1 --steps 3'],
];

interface Evaluated {
  readonly worst: readonly { readonly row: number; readonly logLikelihood: number }[];
}

describe.skipIf(python === null)(
  'the Python reader of FORMAT.md (skipped without a python3 with msgpack or pip)',
  () => {
    it.each(models)('gives the log-likelihoods of a model of %s, %s', async (data, words) => {
      const run = join(folder, words.replaceAll(/\W+/g, '-') + data);
      const options = [...words.split(' '), '--threads', '1', '--no-report'];
      const trained = await orchard('train', join(folder, `${data}.csv`), ...options, '--out', run);
      expect(trained).toMatchObject({ code: 0 });
      const scored = join(folder, `${data}-scored.csv`);
      const evaluated = await orchard('evaluate', run, scored, '--worst', String(SCORED), '--json');
      const { worst } = evaluated.document as unknown as Evaluated;
      const ours = worst.toSorted((one, other) => one.row - other.row).map(({ logLikelihood }) => logLikelihood);
      const rows = files[data][1]
        .slice(0, SCORED)
        .map((row) => row.map((cell) => (data === 'bits' ? Number(cell) : cell === '' ? null : cell)));
      const file = JSON.stringify(join(run, 'network.msgpack'));
      const theirs = python!(
        `${reader}\nimport json\ndata = open(${file}, "rb").read()\nprint(json.dumps([log_likelihood(data, row) for row in json.loads(${JSON.stringify(JSON.stringify(rows))})]))`,
      );
      expect(ours).toHaveLength(SCORED);
      (JSON.parse(theirs) as number[]).forEach((nats, row) =>
        expect(nats, `row ${String(row + 1)}`).toBeCloseTo(ours[row]!, 9),
      );
    });

    it('is tried with lines that look at products', () => {
      const file = readFileSync(join(folder, '-rounds-6-members-1table', 'network.msgpack'));
      expect(file.includes('lineProducts')).toBe(true);
    });

    it('is tried with every kind of model', () => {
      const tried = models.map(
        ([data, words]) => /--model (\S+)/.exec(words)?.[1] ?? families.usualFor(data === 'bits' ? data : 'table').name,
      );
      expect(new Set(tried)).toEqual(new Set(families.all.map(({ name }) => name)));
    });
  },
);
