import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BitMatrix } from '@orchard/dataset';
import { isExactOfTable, type TabularModel } from '@orchard/model';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { loadNetwork } from '../../rows/load-network.js';
import { Terminal } from '../../output/terminal.js';
import { argv, orchard, rowsIn, temporaryFolder } from '../../run.suite.js';
import type { CompleteTableOptions } from './complete.js';
import { completeFile } from './complete-file.js';
import type { SampleOptions } from '../sample/choose-rows.js';
import { sampleRows } from '../sample/sample-rows.js';

const SEED = 7;
/** Rows that are held in words at a time, at most: of samples and of completions. */
const MOST = { sampled: 4096, completed: 1024 };

/** Rows with an order, dates, a column with missing values of whole numbers, and one that counts. */
function visits(count: number): string {
  const lines = ['id,kind,day,age,battery'];
  for (let row = 0; row < count; row++) {
    const kind = ['city', 'e-bike', 'cargo'][(row * 7) % 3]!;
    const day = `2024-0${String(1 + (row % 9))}-1${String(row % 10)}`;
    const battery = kind === 'e-bike' ? String((row * 37) % 101) : '';
    lines.push([String(row + 1), kind, day, String(18 + ((row * 31) % 60)), battery].join(','));
  }
  return `${lines.join('\n')}\n`;
}

/** The same with every fifth cell of the model's columns missing. */
function withGaps(text: string): string {
  const [head, ...lines] = text.trim().split('\n');
  const gaps = lines.map((line, row) =>
    line
      .split(',')
      .map((cell, at) => (at > 0 && (row * 4 + at) % 5 === 0 ? '' : cell))
      .join(','),
  );
  return `${[head, ...gaps].join('\n')}\n`;
}

/** How a model of each kind is trained, small. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  tables: argv`--rounds 4 --leaves 4 --members 1`,
  members: argv`--rounds 3 --leaves 4 --members 2`,
  'chow-liu': argv`--model chow-liu`,
  marginals: argv`--model marginals`,
  sparn: argv`--model sparn --penalty 4`,
  boosted: argv`--model boosted --components 2 --refits 1`,
  partition: argv`--model partition --experts 2 --restarts 1 --steps 2`,
};

const folder = temporaryFolder();
const models: Record<string, TabularModel> = {};

async function trained(name: string, ...words: readonly string[]): Promise<void> {
  const run = join(folder, name);
  const args = argv`train ${join(folder, 'visits.csv')} --out ${run} --no-report --quiet`;
  const { code, stderr } = await orchard(...args, ...words);
  expect(code, stderr).toBe(0);
  models[name] = (await loadNetwork(run)).network as TabularModel;
}

/** Standard output as a test reads it; what comes at a time is looked at. */
class Output {
  text = '';

  constructor(private readonly onWrite: (text: string) => void = () => undefined) {}

  write(text: string): boolean {
    this.onWrite(text);
    this.text += text;
    return true;
  }
}

function terminalTo(output: Output, json = false): Terminal {
  return new Terminal({ json, quiet: true }, output, new Output(), {});
}

const linesIn = (text: string): number => text.split('\n').length - 1;

beforeAll(async () => {
  await writeFile(join(folder, 'visits.csv'), visits(400));
  await writeFile(join(folder, 'gaps.csv'), withGaps(visits(1300)));
  for (const [name, words] of Object.entries(kinds)) await trained(name, ...words);
});

const names = Object.keys(kinds);

describe.each(names)('a model of %s', (name) => {
  it('samples the same rows batch after batch', () => {
    const model = models[name]!;
    const whole = model.sample(300, SEED);
    const sampler = model.sampler(SEED);
    let first = 0;
    for (const count of [1, 0, 33, 130, 136]) {
      expect(sampler.next(count).bytes).toEqual(whole.sliceRows(first, first + count).bytes);
      first += count;
    }
  });

  it('completes rows the same with others before them', () => {
    const model = models[name]!;
    const rows = model.sample(40, SEED);
    const known = model.emptyRows(40);
    for (let row = 0; row < 40; row++)
      for (let index = 0; index < model.variables; index++)
        for (let bit = model.offsets[index]!; bit < model.offsets[index + 1]!; bit++)
          known.set(row, bit, (row + index) % 3 === 0 ? 1 : 0);
    const asked = { seed: SEED, samples: 16, draws: 3 };
    const whole = model.completions(rows, known, asked);
    const from = 13;
    const rest = model.completions(rows.sliceRows(from, 40), known.sliceRows(from, 40), { ...asked, firstRow: from });
    rest.forEach((own, draw) => {
      const { matrix, ...figures } = whole[draw]!;
      expect(own.matrix.bytes).toEqual(matrix.sliceRows(from, 40).bytes);
      expect(own.logEvidence).toEqual(figures.logEvidence.slice(from));
      expect(own.effectiveSampleSize).toEqual(figures.effectiveSampleSize.slice(from));
      expect(own.exact).toEqual(figures.exact.slice(from));
    });
  });
});

describe('a large sample', () => {
  const COUNT = 10_000;

  /** @returns what was printed; no more rows than a batch were ever sampled and not yet printed */
  async function sampled(model: TabularModel, options: Partial<SampleOptions>, json = false): Promise<string> {
    let ahead = 0;
    let most = 0;
    const began = model.sampler.bind(model);
    const spy = vi.spyOn(model, 'sampler').mockImplementation((seed) => {
      const sampler = began(seed);
      return {
        skip: (count) => sampler.skip(count),
        next: (count) => {
          ahead += count;
          most = Math.max(most, ahead);
          return sampler.next(count);
        },
      };
    });
    const output = new Output((text) => (ahead -= json ? text.split('],[').length : linesIn(text)));
    await sampleRows(
      { model, path: '' },
      { count: COUNT, seed: SEED, first: 0, out: '-', ...options },
      terminalTo(output, json),
    );
    spy.mockRestore();
    expect(most).toBeLessThanOrEqual(MOST.sampled);
    return output.text;
  }

  it.each(['tables', 'members', 'chow-liu'])('of %s is sampled and printed batch by batch', async (name) => {
    const text = await sampled(models[name]!, {});
    expect(linesIn(text)).toBe(COUNT + 1);
    expect(text.split('\n')[COUNT]).toMatch(new RegExp(`^${String(COUNT)},`));
    const few = await sampled(models[name]!, { count: 50 });
    expect(text.startsWith(few)).toBe(true);
  });

  it.each(['tables', 'members', 'chow-liu'])('of %s is the same in slices, counting columns too', async (name) => {
    const rowsOf = (text: string): string[] => text.trim().split('\n').slice(1);
    const whole = rowsOf(await sampled(models[name]!, { count: 6000 }));
    const first = rowsOf(await sampled(models[name]!, { count: 4500 }));
    const second = rowsOf(await sampled(models[name]!, { first: 4500, count: 1500 }));
    expect([...first, ...second]).toEqual(whole);
  });

  it('is one document that comes batch by batch, too', async () => {
    const [text, csv] = [await sampled(models['tables']!, {}, true), await sampled(models['tables']!, {})];
    const { values } = JSON.parse(text) as { values: (string | null)[][] };
    const rows = csv.trim().split('\n').slice(1);
    expect(values.map((row) => row.map((cell) => cell ?? '').join(','))).toEqual(
      rows.map((row) => row.split(',').slice(1).join(',')),
    );
  });

  it('of given values is sampled once, and whole numbers stay whole where no row lacks one', async () => {
    const model = models['chow-liu']!;
    const given = ['battery=10..90'];
    const spy = vi.spyOn(model, 'completions');
    const output = new Output();
    await sampleRows({ model, path: '' }, { count: 5000, seed: SEED, first: 0, out: '-', given }, terminalTo(output));
    const counts = spy.mock.calls.map(([rows]) => (rows as BitMatrix).rows);
    spy.mockRestore();
    expect(counts).toEqual([4096, 904]);
    expect(
      output.text
        .split('\n')
        .slice(1, -1)
        .filter((line) => !/,\d+$/.test(line)),
    ).toEqual([]);
  });
});

describe('a large file', () => {
  async function completed(name: string, options: Partial<CompleteTableOptions>, json = false): Promise<string[]> {
    const model = models[name]!;
    const pieces: string[] = [];
    const completions = vi.spyOn(model, 'completions');
    const distributions = isExactOfTable(model) ? vi.spyOn(model, 'distributions') : null;
    const output = new Output((text) => pieces.push(text));
    const file = join(folder, 'gaps.csv');
    await completeFile({ model, path: file }, file, { seed: SEED, samples: 8, ...options }, terminalTo(output, json));
    const asked = [...completions.mock.calls, ...(distributions?.mock.calls ?? [])];
    completions.mockRestore();
    distributions?.mockRestore();
    const most = Math.max(...asked.map(([rows]) => (rows as BitMatrix).rows));
    expect(most).toBeLessThanOrEqual(MOST.completed);
    return pieces;
  }

  it.each(['tables', 'members', 'chow-liu'])('is filled in by %s and printed some rows at a time', async (name) => {
    const pieces = await completed(name, {});
    expect(Math.max(...pieces.map(linesIn))).toBeLessThanOrEqual(MOST.completed + 1);
    expect(linesIn(pieces.join(''))).toBe(1301);
    const given = rowsIn(await readFile(join(folder, 'gaps.csv'), 'utf8'));
    const filled = rowsIn(pieces.join(''));
    expect(filled.flat()).not.toContain('');
    expect(filled.map((row, at) => row.filter((_, column) => given[at]![column] !== ''))).toEqual(
      given.map((row) => row.filter((cell) => cell !== '')),
    );
  });

  it.each([
    { options: { draws: 3 }, most: 3 * MOST.completed + 1 },
    { options: { interval: 0.5, draws: 7 }, most: 5 * MOST.completed },
    { options: { point: 'mean', draws: 5 }, most: MOST.completed + 1 },
    { options: { probabilities: true }, most: 400 * MOST.completed },
  ] as const)('is answered $options some rows at a time', async ({ options, most }) => {
    const pieces = await completed('chow-liu', options);
    expect(pieces.length).toBeGreaterThan(1);
    expect(Math.max(...pieces.map(linesIn))).toBeLessThanOrEqual(most);
    // the names come once
    expect(pieces.join('').split(pieces[0]!.split('\n')[0]!).length).toBe(2);
    const document = JSON.parse((await completed('chow-liu', options, true)).join('')) as { text: string };
    expect(document.text).toBe(pieces.join(''));
  });
});
