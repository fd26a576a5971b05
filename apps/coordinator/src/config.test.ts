import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readConfig as parse, type Config } from './config.js';
import { createTokenCheck } from './http/tokens.js';
import { RateLimit } from './http/rate-limit.js';

const readConfig = (environment: Record<string, string>): Config =>
  parse({ ORCHARD_STORE: 's3://orchard', ...environment });
const secret = 'a'.repeat(32);

describe('the configuration', () => {
  test('without a token listens on loopback alone', () => {
    for (const host of ['127.0.0.1', '127.1.2.3', '::1', 'localhost']) {
      expect(readConfig({ ORCHARD_HOST: host }).host).toBe(host);
    }
    for (const host of ['0.0.0.0', '::', '10.0.0.1', '127.evil.example', 'localhost.example']) {
      expect(() => readConfig({ ORCHARD_HOST: host })).toThrow(/ORCHARD_TOKENS/);
      expect(readConfig({ ORCHARD_HOST: host, ORCHARD_TOKENS: `me:full:${secret}` }).host).toBe(host);
    }
  });

  test('takes several named tokens', () => {
    const { tokens } = readConfig({ ORCHARD_TOKENS: `ann:full:${secret}, bob:read:${secret}b\ncat:read:x:${secret}` });
    expect(tokens).toEqual([
      { name: 'ann', access: 'full', secret },
      { name: 'bob', access: 'read', secret: `${secret}b` },
      { name: 'cat', access: 'read', secret: `x:${secret}` },
    ]);
  });

  test('never shows a secret in an error', () => {
    for (const tokens of [
      secret,
      `me:${secret}`,
      `me:write:${secret}`,
      `me:full:hunter2`,
      `a:full:${secret} a:read:${secret}`,
    ]) {
      let message = '';
      try {
        readConfig({ ORCHARD_TOKENS: tokens });
      } catch (error) {
        message = String(error);
      }
      expect(message).toContain('ORCHARD_TOKENS');
      expect(message).not.toContain(secret);
      expect(message).not.toContain('hunter2');
    }
  });

  test('removes leftovers once a day, runs and data sets by rules alone, and refuses rules without a schedule', () => {
    expect(readConfig({}).housekeeping).toEqual({
      everySeconds: 86_400,
      rules: { keepSeconds: null, lastOfPerson: null, bytesOfPerson: null },
      unusedDatasetSeconds: null,
    });
    const given = { ORCHARD_KEEP_RUNS_DAYS: '2', ORCHARD_KEEP_RUNS_PER_PERSON: '5', ORCHARD_HOUSEKEEPING_HOURS: '1' };
    expect(readConfig(given).housekeeping).toMatchObject({
      everySeconds: 3600,
      rules: { keepSeconds: 172_800, lastOfPerson: 5, bytesOfPerson: null },
    });
    expect(readConfig({ ORCHARD_HOUSEKEEPING_HOURS: '0' }).housekeeping.everySeconds).toBe(0);
    expect(() => readConfig({ ...given, ORCHARD_HOUSEKEEPING_HOURS: '0' })).toThrow(/ORCHARD_HOUSEKEEPING_HOURS/);
  });

  test('refuses numbers that are none', () => {
    for (const value of ['x', '-1', '0', '1.5']) {
      expect(() => readConfig({ ORCHARD_MAX_ROUNDS: value })).toThrow(/ORCHARD_MAX_ROUNDS/);
    }
    expect(readConfig({ ORCHARD_MAX_ROUNDS: '' }).limits.rounds).toBe(100_000);
  });
});

describe('what a team sets', () => {
  const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
  const names = [...read('../settings.md').matchAll(/ORCHARD_(?:MAX_\w+_PER_PERSON|HOUSEKEEPING|KEEP|WEBHOOK)\w*/g)]
    .map(([name]) => name)
    .sort();

  test('reaches the coordinator of compose, and is in its example, as a comment', () => {
    const composed = read('../../../docker-compose.yml');
    const example = read('../../../.env.example');
    expect(names).toHaveLength(10);
    expect(names.filter((name) => !composed.includes(`      ${name}: \${${name}:-}\n`))).toEqual([]);
    expect(names.filter((name) => !example.includes(`\n# ${name}=`))).toEqual([]);
  });

  test('is a value of the chart, and no variable beside it', () => {
    const template = read('../../../infra/helm/orchard/templates/_program.tpl');
    expect(names.filter((name) => !template.includes(name))).toEqual([]);
    const { properties } = JSON.parse(read('../../../infra/helm/orchard/values.schema.json')) as {
      properties: { config: { propertyNames: { not: { anyOf: { pattern?: string }[] } } } };
    };
    const patterns = properties.config.propertyNames.not.anyOf.flatMap(({ pattern }) => pattern ?? []);
    expect(names.filter((name) => !patterns.some((pattern) => new RegExp(pattern).test(name)))).toEqual([]);
  });

  test('is nothing where it is empty, as compose passes on what is not in .env', () => {
    const empty = Object.fromEntries(names.map((name) => [name, '']));
    expect(readConfig(empty)).toEqual(readConfig({}));
  });
});

test('a token is known by its secret alone', () => {
  const check = createTokenCheck([{ name: 'ann', access: 'read', secret }]);
  expect(check(secret)).toEqual({ name: 'ann', access: 'read' });
  for (const other of ['', 'ann', secret.slice(1), `${secret} `, secret.toUpperCase()]) expect(check(other)).toBeNull();
});

test('a bucket fills at its rate, for each caller alone', () => {
  let now = 0;
  const limit = new RateLimit(2, () => now);
  expect([1, 2, 3, 4].map(() => limit.take('ann'))).toEqual([0, 0, 0, 0]);
  expect(limit.take('ann')).toBeGreaterThan(0);
  expect(limit.take('bob')).toBe(0);
  now = 500;
  expect(limit.take('ann')).toBe(0);
  expect(limit.take('ann')).toBeGreaterThan(0);
});
