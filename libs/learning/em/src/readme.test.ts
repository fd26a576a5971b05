import { attachRows, BitMatrix, shareRows } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { learnProducts } from './index.js';

test('the example of the README runs', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const [, imports, body] = /```ts\n((?:import .*\n)+)([\s\S]*?)```/.exec(readme)!;
  const scope = { attachRows, BitMatrix, learnProducts, RandomStream, shareRows };
  for (const name of imports!
    .match(/\{ .* \}/g)!
    .join(',')
    .match(/\w+/g)!)
    expect(scope).toHaveProperty(name);
  const example = new Function(...Object.keys(scope), `${body!} return [counted, ...weights, ...rates];`) as (
    ...values: unknown[]
  ) => number[];
  const said = [...body!.matchAll(/; \/\/ ([\d., ]+)/g)].flatMap(([, figures]) => figures!.split(',').map(Number));
  expect(example(...Object.values(scope)).map((figure) => Number(figure.toFixed(3)))).toEqual(said);
});
