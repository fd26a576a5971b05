import { isRefusal, type Refusal } from '@orchard/refusal';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  canonicalJson,
  contentId,
  JOB_VERSION,
  jobSchema,
  parseContract,
  presets,
  resolveOptions,
  runIdOf,
  runRequestSchema,
  runSpecificationSchema,
  runWordsSchema,
  trainingOptionsSchema,
  type RunSpecification,
} from './index.js';

const sha = (digit: string): string => digit.repeat(64);

const specification: RunSpecification = {
  train: sha('a'),
  valid: sha('b'),
  test: null,
  ...presets.paper,
  ordering: 'natural',
  seed: 0,
  numericsVersion: 1,
};

function refusal(action: () => unknown): Refusal {
  try {
    action();
  } catch (error) {
    if (isRefusal(error, 'invalid-contract')) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('what is expected of a field', () => {
  const schema = z.object({
    draws: z.int().min(1).max(100).optional().meta({ description: 'completions of each row; 1' }),
    share: z.number().gt(0).optional().meta({ description: 'a share' }),
    count: z.int().min(1).max(1000).optional().meta({ description: 'rows, 1 to 1000' }),
    exact: z.boolean().optional().meta({ description: 'whether it is exact' }),
    run: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional()
      .meta({ description: "the run's id" }),
    names: z.array(z.string()).max(2).optional().meta({ description: 'the columns' }),
  });
  test.each([
    [{ draws: 1e6 }, 'completions of each row; 1 (at most 100)'],
    [{ draws: 'x' }, 'completions of each row; 1'],
    [{ share: 0 }, 'a share (above 0)'],
    [{ count: 0 }, 'rows, 1 to 1000'],
    [{ exact: 'yes' }, 'whether it is exact (true or false)'],
    [{ run: 'abc' }, "the run's id (64 digits 0-9, a-f)"],
    [{ names: ['a', 'b', 'c'] }, 'the columns (at most 2 entries)'],
  ])('is its description, with the form that this leaves out: %j', (value, expected) => {
    expect(refusal(() => parseContract(schema, value, 'request')).expected).toBe(expected);
  });
});

describe('canonical JSON', () => {
  test('does not depend on the order in which keys were set', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse());
        expect(canonicalJson(reversed)).toBe(canonicalJson(value));
      }),
    );
  });

  test('reads back as the same value, negative zero as zero', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const zeroed: unknown = JSON.parse(JSON.stringify(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(zeroed);
      }),
    );
    expect(canonicalJson({ b: -0, a: [1, null, 'x'], c: undefined })).toBe('{"a":[1,null,"x"],"b":0}');
  });

  test('refuses what JSON cannot say', () => {
    for (const value of [NaN, Infinity, [undefined], () => 1]) expect(() => canonicalJson(value)).toThrow(RangeError);
  });

  test('is hashed in UTF-8', () => {
    // computed elsewhere: printf '{"é":1}' | sha256sum
    expect(contentId({ é: 1 })).toBe('ddcfcf4765da163969972bb20660092ca2787782d9352d1d8a38e93f70acf3bf');
  });
});

describe('the run specification', () => {
  test('names the run: any other field is another run, the same is the same', () => {
    const id = runIdOf(specification);
    expect(id).toMatch(/^[0-9a-f]{64}$/);
    expect(runIdOf({ ...specification })).toBe(id);
    const changes: Partial<RunSpecification>[] = [
      { train: sha('c') },
      { valid: sha('c') },
      { test: sha('c') },
      { ...presets.default },
      { leaves: 17 },
      { rounds: 999 },
      { shrinkage: 0.03 },
      { start: 'base-rate' },
      { minLeafWeight: 1 },
      { maxLeafValue: 4 },
      { l2: 1 },
      { featureFraction: 0.9 },
      { patience: 1 },
      { ordering: [1, 0] },
      { seed: 1 },
      { numericsVersion: 2 },
    ];
    const ids = new Set([id, ...changes.map((change) => runIdOf({ ...specification, ...change }))]);
    expect(ids.size).toBe(changes.length + 1);
  });

  test('has an id that never changes by accident', () => {
    expect(runIdOf(specification)).toBe('f767bc6a19c1cfc2890d9e595799b01f3f49388343a288f7130c4dc2cd583db4');
  });

  test('takes no field that is not part of training', () => {
    for (const extra of ['selection', 'refit', 'preset', 'threads']) {
      const refused = refusal(() => parseContract(runSpecificationSchema, { ...specification, [extra]: 1 }, 'run'));
      expect(refused.got).toBe(`unknown "${extra}"`);
      expect(refused.expected).toContain('featureFraction');
    }
  });

  test('takes an ordering that is a permutation, and no other', () => {
    const parse = (ordering: unknown): unknown =>
      parseContract(runSpecificationSchema, { ...specification, ordering }, 'run');
    parse([2, 0, 1]);
    for (const ordering of [[], [1], [0, 0], [0, 2], [0, 1.5], [0, -1], 'random', null]) {
      expect(refusal(() => parse(ordering)).where).toMatch(/^run, "ordering/);
    }
  });
});

describe('the words of a run', () => {
  const outside: Record<string, unknown[]> = {
    leaves: [1, 0, -1, 2.5, 65_537, NaN, '8', null],
    rounds: [0, -1, 1.5, 100_001, Infinity],
    shrinkage: [0, -0.1, 1.01, NaN, '0.1'],
    start: ['zero', 1],
    minLeafWeight: [-1, Infinity, NaN],
    maxLeafValue: [0, -2, 601, NaN],
    l2: [-1, NaN],
    featureFraction: [0, 1.1, NaN],
    patience: [-1, 0.5],
    seed: [-1, 0.5, 2 ** 53],
    preset: ['fast'],
    select: ['linear'],
    refit: ['yes', 1],
    ordering: ['reverse', [1, 1]],
  };
  test.each(Object.entries(outside))(
    '%s outside its range is refused with got, expected, where and remedy',
    (name, values) => {
      for (const value of values) {
        const refused = refusal(() => parseContract(runWordsSchema, { [name]: value }, 'run request'));
        expect(refused.where).toContain(`"${name}`);
        expect(refused.expected).not.toMatch(/^Invalid|^Too/);
        expect(refused.message).toContain(refused.got);
        expect(refused.remedy).toContain(name);
        expect(refused.retryable).toBe(false);
      }
    },
  );

  test('fall back on the preset, and the preset on default', () => {
    expect(resolveOptions({})).toEqual(presets.default);
    expect(resolveOptions({ preset: 'paper', leaves: 8 })).toEqual({ ...presets.paper, leaves: 8 });
    expect(resolveOptions({ maxLeafValue: null, patience: 0 })).toEqual({
      ...presets.default,
      maxLeafValue: null,
      patience: 0,
    });
  });

  test('an element of a list is refused by what the list is described as', () => {
    const refused = refusal(() =>
      parseContract(runWordsSchema, { orderings: ['natural', 'backwards'] }, 'run request'),
    );
    expect(refused).toMatchObject({ got: '"backwards"', where: 'run request, "orderings.1"' });
    expect(refused.expected).toMatch(/^orderings that the members take turns with: any of natural, .* random$/);
  });

  test('are the body of a submission together with the splits', () => {
    const body = { train: sha('a'), valid: sha('b'), preset: 'paper', select: 'common', refit: false };
    expect(parseContract(runRequestSchema, body, 'run request')).toEqual(body);
    expect(refusal(() => parseContract(runRequestSchema, { train: sha('a') }, 'run request')).got).toBe('nothing');
    expect(refusal(() => parseContract(runRequestSchema, { ...body, train: '../x' }, 'run request')).got).toBe(
      '"../x"',
    );
    const refused = refusal(() => parseContract(runRequestSchema, [], 'run request'));
    expect(refused).toMatchObject({ where: 'run request', got: '[]' });
    expect(refused.expected).toMatch(/^an object of (\w+, )*train, valid/);
  });

  test('every preset is within the ranges', () => {
    for (const preset of Object.values(presets)) trainingOptionsSchema.parse(preset);
  });
});

describe('jobs', () => {
  test('hold ids and numbers only, and are refused whole where anything is unknown', () => {
    const task = { run: sha('a'), kind: 'refit', key: '3' };
    const job = {
      version: JOB_VERSION,
      task,
      family: 'lbarn',
      numericsVersion: 1,
      detail: { plan: 'b', rounds: 3 },
      isNew: true,
    };
    expect(jobSchema.parse(job)).toEqual(job);
    const refused = [
      { ...job, rounds: 3 },
      { ...job, detail: { rows: [1, 2] } },
      { ...job, task: { ...task, run: '../../etc' } },
      { ...job, task: { ...task, kind: 'Refit' } },
      { ...job, task: { ...task, key: '../3' } },
      { ...job, task: { ...task, dimension: 3 } },
      { ...job, isNew: undefined },
    ];
    for (const other of refused) expect(jobSchema.safeParse(other).success).toBe(false);
  });

  test('of another version are not read: whoever is handed one gives it back', () => {
    const task = { run: sha('a'), kind: 'train', key: '3' };
    const job = { version: JOB_VERSION, task, family: 'lbarn', numericsVersion: 1, detail: {}, isNew: true };
    expect(jobSchema.safeParse(job).success).toBe(true);
    for (const version of [JOB_VERSION - 1, JOB_VERSION + 1, undefined])
      expect(jobSchema.safeParse({ ...job, version }).success).toBe(false);
  });
});

test('the example of the README runs', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const words = parseContract(runWordsSchema, { preset: 'paper', leaves: 8 }, 'run request');
  expect(resolveOptions(words).rounds).toBe(1000);
  expect(refusal(() => parseContract(runWordsSchema, { rounds: 0 }, 'run request')).message).toBe(
    /\/\/ Refusal: (.*)/.exec(readme)![1],
  );
});

test('a long list of wrong values, or of unknown words, is refused by its first', () => {
  const request = { train: 'a'.repeat(64), valid: 'b'.repeat(64) };
  const before = process.memoryUsage().heapUsed;
  const ordering = Array.from({ length: 200_000 }, () => 'x');
  let message = '';
  try {
    parseContract(runRequestSchema, { ...request, ordering }, 'run request');
  } catch (error) {
    message = String(error);
  }
  expect(message).toMatch(/"ordering\.0": got .*, expected dimensions/);
  // beside the list itself: an issue for each value would be 80 MB
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(40e6);
  const words = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`word${i}`, 1]));
  expect(() => parseContract(runRequestSchema, { ...request, ...words }, 'run request')).toThrow(
    /"word0", .*"word4" and 9995 more/,
  );
});
