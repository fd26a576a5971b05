import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { clusterVariables, jobVariables, parseEnvironment, s3ConfigurationOf } from './index.js';

test('the example of the README is true', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const settings = parseEnvironment(z.object(clusterVariables), {
    ORCHARD_STORE: 's3://forest/team-a',
    ORCHARD_S3_ENDPOINT: 'http://127.0.0.1:9000',
  });
  const found = { bucket: 'forest', prefix: 'team-a', endpoint: 'http://127.0.0.1:9000' };
  expect(s3ConfigurationOf(settings)).toEqual(found);
  expect(readme).toContain("{ bucket: 'forest', prefix: 'team-a', endpoint: 'http://127.0.0.1:9000' }");
  expect(readme).toContain(settings.ORCHARD_REDIS_URL);
});

test('what is wrong is named, and not shown', () => {
  const parse = (environment: Record<string, string>): unknown => parseEnvironment(z.object(jobVariables), environment);
  expect(() => parse({})).toThrow('ORCHARD_STORE: got nothing');
  expect(() => parse({ ORCHARD_STORE: '' })).toThrow('ORCHARD_STORE: got nothing');
  expect(() => parse({ ORCHARD_STORE: '/x', ORCHARD_HEALTH_PORT: 'hunter2' })).toThrow(/^((?!hunter2).)*HEALTH_PORT/);
});

test('the public endpoint is that of presigned URLs, and a URL', () => {
  const settings = parseEnvironment(z.object(clusterVariables), {
    ORCHARD_STORE: 's3://forest',
    ORCHARD_S3_ENDPOINT: 'http://s3:9000',
    ORCHARD_S3_PUBLIC_ENDPOINT: 'https://files.example',
  });
  const found = { bucket: 'forest', endpoint: 'http://s3:9000', publicEndpoint: 'https://files.example' };
  expect(s3ConfigurationOf(settings)).toEqual(found);
  const wrong = { ORCHARD_STORE: 's3://forest', ORCHARD_S3_PUBLIC_ENDPOINT: 'files.example' };
  expect(() => parseEnvironment(z.object(clusterVariables), wrong)).toThrow('ORCHARD_S3_PUBLIC_ENDPOINT');
});

test('a folder is no bucket', () => {
  const settings = (store: string): never => ({ ORCHARD_STORE: store }) as never;
  expect(s3ConfigurationOf(settings('/var/orchard'))).toBeNull();
  expect(s3ConfigurationOf(settings('s3://bucket'))).toEqual({ bucket: 'bucket' });
  expect(s3ConfigurationOf(settings('s3://bucket/a/b/'))).toEqual({ bucket: 'bucket', prefix: 'a/b' });
});
