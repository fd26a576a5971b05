import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as selection from '../index.js';

test("the README's example gives what it says", () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const example = /```ts\nimport \{ select \}[^\n]*\n([^]*?)```/.exec(readme)![1]!;
  const run = new Function('select', `${example}; return { rounds, validLogLikelihood };`) as (
    select: typeof selection.select,
  ) => unknown;
  const said = /rounds: Uint32Array (\[.*?\]), validLogLikelihood: (-?\d+)/.exec(example)!;
  expect(run(selection.select)).toEqual({
    rounds: Uint32Array.from(JSON.parse(said[1]!) as number[]),
    validLogLikelihood: Number(said[2]),
  });
});
