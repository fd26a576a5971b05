import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { clusterVariables, jobVariables, parseEnvironment } from './index.js';

const root = new URL('../../../../', import.meta.url);
const example = Object.fromEntries(
  readFileSync(new URL('.env.example', root), 'utf8')
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const),
);
/** What the compose file makes of the example's variables, for all three programs. */
const composed = [
  ...readFileSync(new URL('docker-compose.yml', root), 'utf8').matchAll(/^ +(ORCHARD_\w+|AWS_\w+): (\S.*)$/gm),
].map(([, name, value]) => [name!, value!.replace(/\$\{(\w+)[^}]*\}/g, (_, of: string) => example[of] ?? '')] as const);

test.each(composed.filter(([, value]) => value.includes('replace-this')))(
  '%s of the example is refused by every program, and not shown',
  (name, value) => {
    const environment = { ORCHARD_STORE: 's3://orchard', [name]: value };
    for (const variables of [clusterVariables, jobVariables]) {
      const parse = (): unknown => parseEnvironment(z.object(variables), environment);
      expect(parse).toThrow(name);
      expect(parse).toThrow('openssl rand');
      expect(parse).not.toThrow(value);
    }
  },
);

test('every secret of the example is one that is refused', () => {
  const secrets = Object.entries(example).filter(([name]) => /PASSWORD|SECRET|TOKEN/.test(name));
  expect(secrets.length).toBeGreaterThan(4);
  for (const [name, value] of secrets) expect([name, value]).toEqual([name, expect.stringContaining('replace-this')]);
  // all of them reach a program, or the store and Redis, which start after a check of their own
  expect(new Set(composed.map(([name]) => name))).toEqual(
    expect.objectContaining(new Set(['ORCHARD_TOKENS', 'ORCHARD_REDIS_URL', 'AWS_SECRET_ACCESS_KEY'])),
  );
});

test('the address of the guide is refused, one of your own is not', () => {
  const parse = (url: string): unknown =>
    parseEnvironment(z.object(clusterVariables), { ORCHARD_STORE: 's3://x', ORCHARD_REDIS_URL: url });
  expect(() => parse('rediss://user:password@redis.example:6379')).toThrow('ORCHARD_REDIS_URL');
  expect(parse('rediss://user:password1@redis.example:6379')).toBeTruthy();
});
