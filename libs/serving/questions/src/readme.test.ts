import { emptyEnsemble, Network, untold } from '@orchard/model';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { askComplete, askSample, askScore } from './index.js';

test('the example of the README runs', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, body] = /```ts\nimport [^\n]*\n([^]*?)```/.exec(readme)!;
  const coins = new Network({
    ...{ names: null, shape: null, specification: null, likelihoods: untold },
    ...{ ordering: Uint32Array.of(0, 1), ensembles: [emptyEnsemble(1), emptyEnsemble(1)] },
  });
  const example = new Function(
    ...['askComplete', 'askSample', 'askScore', 'model'],
    `${body!} return { scored, sampled, completed };`,
  ) as (...values: unknown[]) => Record<'scored' | 'sampled' | 'completed', { rows: { logLikelihood?: number }[] }>;
  const { scored, sampled, completed } = example(askComplete, askSample, askScore, coins);
  expect(scored.rows[0]!.logLikelihood).toBeCloseTo(-2 * Math.LN2, 12);
  expect(sampled.rows).toHaveLength(2);
  expect(completed.rows).toHaveLength(1);
});
