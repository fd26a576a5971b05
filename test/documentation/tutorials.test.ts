import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from '../cli/orchard.js';
import { patternOf, runSteps, stepsOfPage } from './shown-commands.js';

const tutorials = 'apps/docs/tutorials';
/** All tutorials whose commands stand in `sh` blocks; a cluster's, in `console` blocks, are those of test/cluster. */
const pages = readdirSync(join(root, tutorials)).filter((name) => stepsOfPage(`${tutorials}/${name}`).length > 0);

it('the first tutorial describes, trains, completes, scores, explains, samples and selects', () => {
  const commands = stepsOfPage(`${tutorials}/your-first-table.md`).map((step) => step.commands);
  for (const command of ['describe', 'train', 'complete', 'evaluate', 'importance', 'sample', 'select']) {
    expect(commands.join('')).toContain(`orchard ${command} `);
  }
});

describe.each(pages)('%s', (name) => {
  const steps = stepsOfPage(`${tutorials}/${name}`);
  let printed: string[];

  beforeAll(async () => {
    printed = await runSteps(steps);
  });

  it.each(steps.flatMap(({ commands, shown }, index) => (shown === null ? [] : [{ commands, shown, index }])))(
    'prints what is shown for: $commands',
    ({ shown, index }) => {
      if (!patternOf(shown).test(printed[index]!)) expect(printed[index]).toBe(shown);
    },
  );
});
