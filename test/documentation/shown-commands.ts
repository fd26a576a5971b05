import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { oneAtATime } from '../../infra/one-at-a-time.mjs';
import { endOf, main, root } from '../cli/orchard.js';

/** A block of commands on a page, and the output that the page shows below it, if any. */
export interface ShownStep {
  readonly commands: string;
  readonly shown: string | null;
}

/** The steps of a page's text: an `sh` block is typed, a `text` block after it is its output. */
export function stepsOf(text: string): ShownStep[] {
  const steps: { commands: string; shown: string | null }[] = [];
  for (const [, language, block = ''] of text.matchAll(/^```(sh|text)\n([^]*?)^```$/gm)) {
    if (language === 'sh') steps.push({ commands: block, shown: null });
    else steps.at(-1)!.shown = block;
  }
  return steps;
}

/** The steps of a page, by its path from the project's root. */
export function stepsOfPage(page: string): ShownStep[] {
  return stepsOf(readFileSync(join(root, page), 'utf8'));
}

/**
 * The steps of the `console` blocks of a text: what follows `$ ` is typed, lines with `# ` are remarks, others are
 * output.
 */
export function stepsOfConsole(text: string): ShownStep[] {
  const steps: { commands: string; shown: string | null }[] = [];
  for (const [, block = ''] of text.matchAll(/^```console\n([^]*?)^```$/gm)) {
    for (const line of block.trimEnd().split('\n')) {
      const step = steps.at(-1);
      if (line.startsWith('$ ')) steps.push({ commands: line.slice(2), shown: null });
      else if (!line.startsWith('# ') && step) step.shown = `${step.shown ?? ''}${line}\n`;
    }
  }
  return steps;
}

/** Matches the whole output; `…` in the text that is shown stands for anything. */
export function patternOf(shown: string): RegExp {
  const parts = shown.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*?')}$`);
}

const endOfStep = '--- end of a step ---';

/**
 * Runs the steps one after another in one shell, and returns what each wrote to stdout. What they leave behind in a
 * clone has names that git ignores.
 */
export async function runSteps(steps: readonly ShownStep[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'orchard-page-'));
  try {
    // the folder looks like a clone: the commands run as they stand, and the files they write stay in it
    for (const name of await readdir(root)) {
      if (!name.startsWith('run')) await symlink(join(root, name), join(folder, name));
    }
    if (steps.some(({ commands }) => beginsWithRentals.test(commands)))
      await cp(await rentalsRun(), join(folder, 'run'), { recursive: true });
    const script = steps.map(({ commands }) => `${commands}\necho '${endOfStep}'\n`).join('');
    const printed = await new Promise<string[]>((resolve, reject) => {
      execFile('bash', ['-eu', '-c', script], { cwd: folder }, (error, stdout, stderr) => {
        if (error) reject(new Error(`${stdout}\n${stderr}`, { cause: error }));
        else resolve(stdout.split(`${endOfStep}\n`));
      });
    });
    const left = await readdir(folder, { withFileTypes: true });
    const shown = left.filter((entry) => !entry.isSymbolicLink() && !isIgnored(entry.name)).map(({ name }) => name);
    if (shown.length > 0) throw new Error(`Git would show what the page leaves in a clone: ${shown.join(', ')}.`);
    return printed;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const rentals = 'apps/cli/examples/rentals.csv';
/** The command with which several pages begin. */
const beginsWithRentals = new RegExp(`train ${rentals} --out run$`, 'm');

/** The run of that command, trained once for all pages: the same command finds it done, and prints what it printed. */
async function rentalsRun(): Promise<string> {
  const folder = join(inject('specimens'), 'rentals');
  const [run, done] = [join(folder, 'run'), join(folder, 'done')];
  const train = async (): Promise<void> => {
    if (existsSync(done)) return;
    const words = ['train', rentals, '--out', run, '--no-report', '--quiet'];
    const { code, stderr } = await endOf(process.execPath, [main, ...words], { cwd: root });
    if (code !== 0) throw new Error(stderr);
    await mkdir(done);
  };
  await oneAtATime(folder, train, () => undefined);
  return run;
}

function isIgnored(name: string): boolean {
  return spawnSync('git', ['check-ignore', '--quiet', name], { cwd: root }).status === 0;
}
