import { temporaryFolder } from '@orchard/storage/testing';
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { main, mushrooms, orchard, sha256Of, type Ended } from './orchard.js';

const folder = temporaryFolder();
let rows: readonly string[];

beforeAll(() => {
  rows = mushrooms('train', 800, 40).map((row) => row.replaceAll(',', ''));
});

const textOf = (some: readonly string[]): string => some.map((row) => `${row}\n`).join('');

interface Stream {
  /** Sends rows, and waits until the command says that they are learned. */
  learn(some: readonly string[]): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Sends the last rows. */
  end(last?: readonly string[]): void;
  readonly ended: Promise<Ended>;
}

/** Starts `orchard online`, which says every row that it has learned, so that what it has learned is known. */
function stream(...args: readonly string[]): Stream {
  const child = spawn(process.execPath, [main, 'online', '--every', '1', ...args], { stdio: 'pipe' });
  const written = { stdout: '', stderr: '' };
  let look = (): void => undefined;
  child.stdout.on('data', (chunk: Buffer) => {
    written.stdout += chunk.toString();
    look();
  });
  child.stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()));
  // it may have ended before it has read all
  child.stdin.on('error', () => undefined);
  const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, ...written })));
  return {
    learn: (some) => {
      const goal = written.stdout.split('\n').length + some.length;
      const learned = new Promise<void>((resolve) => {
        look = () => {
          if (written.stdout.split('\n').length >= goal) resolve();
        };
      });
      child.stdin.write(textOf(some));
      return learned;
    },
    signal: (name) => child.kill(name),
    end: (last = []) => child.stdin.end(textOf(last)),
    ended,
  };
}

async function learnAll(out: string, some: readonly string[]): Promise<Ended> {
  const all = stream('--out', out);
  await all.learn(some);
  all.end();
  return all.ended;
}

describe('orchard online', () => {
  it('interrupted, and given the rows after those, ends in the bytes of one that was not', async () => {
    const [whole, parts] = [join(folder, 'whole'), join(folder, 'parts')];
    expect(await learnAll(whole, rows)).toMatchObject({ code: 0 });
    const first = stream('--out', parts);
    await first.learn(rows.slice(0, 300));
    first.signal('SIGINT');
    const { code, stderr } = await first.ended;
    expect(stderr).toContain('300 rows are learned and kept');
    expect(code).toBe(130);
    expect((await learnAll(parts, rows.slice(300))).stderr).toContain('going on after 300 rows');
    for (const name of ['state.msgpack', 'network.msgpack'])
      expect(sha256Of(parts, name), name).toBe(sha256Of(whole, name));
  });

  it('killed, has what it had kept, and goes on from there', async () => {
    const out = join(folder, 'killed');
    await learnAll(out, rows.slice(0, 200));
    const kept = sha256Of(out, 'state.msgpack');
    const killed = stream('--out', out);
    await killed.learn(rows.slice(200, 400));
    killed.signal('SIGKILL');
    expect((await killed.ended).code).toBeNull();
    expect(sha256Of(out, 'state.msgpack')).toBe(kept);
    expect((await learnAll(out, rows.slice(200))).stderr).toContain('going on after 200 rows');
    expect(sha256Of(out, 'state.msgpack')).toBe(sha256Of(folder, 'whole', 'state.msgpack'));
  });

  it('writes a model as any other', async () => {
    const file = join(folder, 'rows.csv');
    writeFileSync(file, textOf(rows.map((row) => [...row].join(','))));
    const { code, stdout } = await orchard('evaluate', join(folder, 'whole'), file);
    expect(stdout).toMatch(/^800 rows: -\d+\.\d+ ± \d\.\d+ nats per row/);
    expect(code).toBe(0);
  });

  it('keeps the rows before one that it refuses', async () => {
    const refused = stream('--out', join(folder, 'refused'));
    await refused.learn(rows.slice(0, 50));
    await Promise.race([refused.learn(['01']), refused.ended]);
    const { code, stderr } = await refused.ended;
    expect(stderr).toContain('standard input, line 51: got 2 values, expected 40');
    expect(code).toBe(2);
    expect((await learnAll(join(folder, 'refused'), rows.slice(50))).stderr).toContain('going on after 50 rows');
    expect(sha256Of(folder, 'refused', 'state.msgpack')).toBe(sha256Of(folder, 'whole', 'state.msgpack'));
  });

  it.each([
    ['/dev/null/x', 'a file where a folder must be'],
    ['/proc/x', 'a file that can be written'],
  ])('refuses %s before it reads a row', async (out, words) => {
    const refused = stream('--out', out);
    const { code, stdout, stderr } = await refused.ended;
    expect(stdout).toBe('');
    expect(stderr).toContain(out);
    expect(stderr).toContain(words);
    expect(code).toBeGreaterThan(0);
  });

  it('says what is kept where no more can be written', async () => {
    const out = join(folder, 'full');
    await learnAll(out, rows.slice(0, 100));
    const before = sha256Of(out, 'state.msgpack');
    // a folder in the place of the model: no write can replace it
    await rm(join(out, 'network.msgpack'));
    mkdirSync(join(out, 'network.msgpack'));
    const { code, stderr } = await learnAll(out, rows.slice(100, 200));
    expect(stderr).toContain('the first 100 rows are kept');
    expect(stderr).toContain('which is a folder');
    expect(code).toBe(2);
    expect(sha256Of(out, 'state.msgpack')).toBe(before);
  });

  it('keeps what it learned when the reader of the figures has gone, and refuses the folder of another model', async () => {
    const out = join(folder, 'unread');
    const child = spawn(process.execPath, [main, 'online', '--every', '1', '--out', out], { stdio: 'pipe' });
    child.stdin.on('error', () => undefined);
    child.stdout.once('data', () => {
      child.stdout.destroy();
      child.stdin.write(textOf(rows.slice(1, 50)));
    });
    child.stdin.write(textOf(rows.slice(0, 1)));
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect([code, stderr]).toEqual([0, expect.stringMatching(/the reader of the figures is gone; \d+ rows? .* kept/)]);
    const kept = Number(/; (\d+) row/.exec(stderr)![1]);
    expect((await learnAll(out, rows.slice(0, 1))).stdout).toContain(`${String(kept + 1)} rows in all, 1 of them now`);

    const model = readFileSync(join(out, 'network.msgpack'));
    const other = join(folder, 'other-model');
    const training = join(folder, 'training.csv');
    writeFileSync(training, textOf(rows.slice(0, 50).map((row) => [...row].join(','))));
    const train = ['train', training, '--model', 'marginals', '--no-report', '--quiet', '--out', other];
    expect(await orchard(...train)).toMatchObject({ code: 0 });
    const trained = readFileSync(join(other, 'network.msgpack'));
    expect(await stream('--out', other).ended).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is not of a stream'),
    });
    expect(readFileSync(join(other, 'network.msgpack'))).toEqual(trained);
    // stopped between the model and the first state
    writeFileSync(join(other, 'network.msgpack'), model);
    expect(await learnAll(other, rows.slice(0, 1))).toMatchObject({ code: 0 });
  });

  it('of trees is not that of forests, and is continued as trees alone', async () => {
    const out = join(folder, 'trees');
    const trees = stream('--out', out, '--structure', 'trees');
    trees.end(rows.slice(0, 300));
    expect(await trees.ended).toMatchObject({ code: 0 });
    expect(readFileSync(join(out, 'network.msgpack')).includes('structure')).toBe(true);
    const others = stream('--out', out, '--structure', 'forests');
    expect(await others.ended).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--structure forests, expected trees'),
    });
    // nothing said is as it was begun
    expect((await learnAll(out, rows.slice(300))).stdout).toContain('800 rows in all, 500 of them now');
    expect(sha256Of(out, 'network.msgpack')).not.toBe(sha256Of(folder, 'whole', 'network.msgpack'));
  });

  it('prints its regret: nats beyond the best tree in hindsight', async () => {
    const regretful = stream('--out', join(folder, 'regret'), '--regret', '--json');
    regretful.end(rows.slice(0, 200));
    const { code, stdout } = await regretful.ended;
    expect(code).toBe(0);
    const { regret, logLoss } = JSON.parse(stdout) as { regret: number; logLoss: number };
    expect(regret).toBeGreaterThan(0);
    expect(regret).toBeLessThan(200 * logLoss);
  });

  it('writes a report of how its loss went, the same however often it was stopped', async () => {
    const [whole, parts] = [join(folder, 'reported'), join(folder, 'reported-in-parts')];
    const words = ['--report', '--every', '50'];
    const all = stream('--out', whole, ...words);
    all.end(rows.slice(0, 200));
    expect(await all.ended).toMatchObject({ code: 0, stderr: expect.stringContaining('report.html') });
    for (const some of [rows.slice(0, 100), rows.slice(100, 200)]) {
      const part = stream('--out', parts, ...words);
      part.end(some);
      await part.ended;
    }
    expect(sha256Of(parts, 'report.html')).toBe(sha256Of(whole, 'report.html'));
    const curve = readFileSync(join(whole, 'curve.csv'), 'utf8').trimEnd().split('\n').slice(1);
    const points = curve.map((line) => line.split(',').map(Number)) as [number, number, number, number][];
    expect(points.map(([count]) => count)).toEqual([50, 100, 150, 200]);
    for (const [, running, tree, forest] of points) {
      expect(running).toBeGreaterThan(forest);
      expect(forest).toBeGreaterThanOrEqual(tree);
    }
  });

  it('learns rows of categories with the values of a table like it', async () => {
    const out = join(folder, 'categories');
    const like = join(folder, 'like.csv');
    const lines = rows
      .slice(0, 300)
      .map(
        (row) =>
          `${row.startsWith('1') ? 'sun' : 'rain'},${['low', 'mid', 'high'][Number(row[1]) + Number(row[2])]!},${row[3]!}`,
      );
    writeFileSync(like, `weather,price,helmet\n${lines.slice(0, 100).join('\n')}\n`);
    const first = stream('--out', out, '--like', like, '--regret');
    first.end(lines.slice(0, 200));
    const { code, stdout } = await first.ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /200 rows in all, 200 of them now: \d\.\d+ nats per row as they came; -?\d+\.\d nats beyond/,
    );
    // without the file: the state knows the values, and the first line another order of the columns
    const then = stream('--out', out);
    then.end(['helmet,price,weather', ...lines.slice(200).map((line) => line.split(',').reverse().join(','))]);
    expect((await then.ended).stdout).toContain('300 rows in all, 100 of them now');
    const inOrder = stream('--out', join(folder, 'in-order'), '--like', like);
    inOrder.end(lines);
    await inOrder.ended;
    expect(sha256Of(out, 'state.msgpack')).toBe(sha256Of(folder, 'in-order', 'state.msgpack'));
    const rest = join(folder, 'rest.csv');
    writeFileSync(rest, `weather,price,helmet\n${lines.slice(200).join('\n')}\n`);
    const judged = await orchard('evaluate', out, rest);
    expect(judged.stdout).toMatch(/^100 rows: -\d\.\d+ ± /);
    const refused = stream('--out', join(folder, 'whole'), '--like', like);
    expect(await refused.ended).toMatchObject({ code: 2, stderr: expect.stringContaining('--like') });
  });
});
