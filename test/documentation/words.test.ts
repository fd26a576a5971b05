import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { bannedIn, problemsOfPage, problemsOfSource } from '../../infra/words/rules.mjs';
import { root } from '../cli/orchard.js';

describe('plain words', () => {
  it.each([
    'nobody is told',
    'whoever asks',
    'rows with holes',
    '-5.1 nats a test row',
    'this is no table',
    'odd rows',
  ])('finds what is not plain in: %s', (text) => {
    expect(bannedIn(text)).not.toEqual([]);
  });

  it('leaves plain sentences alone, and words that only look alike', () => {
    expect(bannedIn('A missing value; -5.1 nats per row; it is no longer read; the whole table; untold')).toEqual([]);
  });

  it('finds long lines, long sentences, wide cells and too many lines of a README', () => {
    const sentence = `${'word '.repeat(41)}end.`;
    const page = `# Title\n\n${sentence}\n\n| ${'x '.repeat(31)}|\n`;
    const problems = problemsOfPage(page, { isReadme: true, mostLines: 4 });
    expect(problems).toEqual([
      'line 3: 209 characters, at most 120',
      'line 5: a table cell of 61 characters, at most 60',
      '5 lines, at most 4',
      expect.stringContaining('a sentence of 42 words, at most 40'),
    ]);
  });

  it('does not read code, addresses or names of options on a page', () => {
    const page = `See [it](nobody.md) and \`--holes\`.\n\n\`\`\`sh\nwhoever ${'x '.repeat(80)}\n\`\`\`\n`;
    expect(problemsOfPage(page, { isReadme: true })).toEqual([]);
  });

  it('reads strings, templates and comments of sources, but no names', () => {
    const source = "// nobody\nconst nobody = `a ${{ b: 'told' }.b} hole`;\nconst one = 'whoever';\n";
    expect(problemsOfSource(source)).toEqual([
      expect.stringMatching(/^line 2: "told"/),
      expect.stringMatching(/^line 2: "hole"/),
      expect.stringMatching(/^line 3: "whoever"/),
      expect.stringMatching(/^line 1: "nobody"/),
    ]);
    expect(problemsOfSource(`/** ${'word '.repeat(30)}*/\n`)).toEqual(['line 1: 156 characters, at most 120']);
  });

  it('no file of the project has any of it', async () => {
    const run = promisify(execFile)(process.execPath, [join(root, 'infra/words/main.mjs')]);
    await expect(run).resolves.toBeDefined();
  });
});
