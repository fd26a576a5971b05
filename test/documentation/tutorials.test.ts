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

/** What each page shows is what its commands print, one after the other. */
const printsWhatIsShown = (name: string): void => {
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
};

const first = 'your-first-table.md';
describe(first, () => printsWhatIsShown(first));
describe.each(pages.filter((name) => name !== first))('%s', { tags: 'nightly' }, printsWhatIsShown);
