import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from './orchard.js';

/** Commands, and what the README shows of what they print; null where it shows nothing. */
interface Step {
  readonly commands: string;
  readonly shown: string | null;
}

/** The blocks of a section: `sh` is what to type, a `text` that follows is what comes out. */
function stepsOf(heading: string): Step[] {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const section = new RegExp(`^## ${heading}\n([^]*?)(?=^## )`, 'm').exec(readme)?.[1] ?? '';
  const steps: { commands: string; shown: string | null }[] = [];
  for (const [, language, block = ''] of section.matchAll(/^```(sh|text)\n([^]*?)^```$/gm)) {
    if (language === 'sh') steps.push({ commands: block, shown: null });
    else steps.at(-1)!.shown = block;
  }
  return steps;
}

/** What matches the text that is shown, whole; `…` stands for anything. */
function patternOf(shown: string): RegExp {
  const parts = shown.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*?')}$`);
}

const mark = '--- end of a step ---';
const steps = stepsOf('A tour');
let folder: string;
let printed: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orchard-tour-'));
  // the folder looks like a clone, so that the commands run as they stand and what they write stays in it
  for (const name of await readdir(root)) {
    if (!name.startsWith('run')) await symlink(join(root, name), join(folder, name));
  }
  const script = steps.map(({ commands }) => `${commands}\necho '${mark}'\n`).join('');
  printed = await new Promise<string[]>((resolve, reject) => {
    execFile('bash', ['-eu', '-c', script], { cwd: folder }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${stdout}\n${stderr}`, { cause: error }));
      else resolve(stdout.split(`${mark}\n`));
    });
  });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the tour of the README', () => {
  it('describes, trains, completes, scores, explains, samples and selects', () => {
    const commands = steps.map((step) => step.commands).join('');
    for (const command of ['describe', 'train', 'complete', 'evaluate', 'importance', 'sample', 'select']) {
      expect(commands).toContain(`orchard ${command} `);
    }
  });

  it.each(steps.flatMap(({ commands, shown }, index) => (shown === null ? [] : [{ commands, shown, index }])))(
    'prints what is shown for: $commands',
    ({ shown, index }) => {
      if (!patternOf(shown).test(printed[index]!)) expect(printed[index]).toBe(shown);
    },
  );
});
