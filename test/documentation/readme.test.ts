import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from '../cli/orchard.js';
import { patternOf, runSteps, stepsOfConsole } from './shown-commands.js';

const readme = readFileSync(join(root, 'README.md'), 'utf8');
const steps = stepsOfConsole(readme);

it('the README has at most 70 lines', () => {
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(70);
});

it('the README needs no shell tools beside npm', () => {
  const typed = [...readme.matchAll(/^```sh\n([^]*?)^```$/gm)].flatMap(([, block = '']) => block.trim().split('\n'));
  for (const line of [...typed, ...steps.map((step) => step.commands)]) expect(line).toMatch(/^npm [^|;$#]*(#.*)?$/);
});

describe('what you can do, by the README', () => {
  let printed: string[];

  beforeAll(async () => {
    printed = await runSteps(steps);
  });

  it('trains, finds outliers, fills in, samples and explains', () => {
    const commands = steps.map((step) => step.commands).join('');
    for (const command of ['train', 'evaluate', 'complete', 'sample', 'importance']) {
      expect(commands).toContain(`npm run -s orchard -- ${command} `);
    }
  });

  it.each(steps.flatMap(({ commands, shown }, index) => (shown === null ? [] : [{ commands, shown, index }])))(
    'prints what is shown for: $commands',
    ({ shown, index }) => {
      if (!patternOf(shown).test(printed[index]!)) expect(printed[index]).toBe(shown);
    },
  );
});
