import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import * as dataset from './index.js';

it('the example of the README prints what its remarks say', async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, example = ''] = /```js\n([^]*?)```/.exec(readme) ?? [];
  const expected = [...example.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map(([, remark]) => remark);
  expect(expected.length).toBeGreaterThan(5);

  const folder = mkdtempSync(join(tmpdir(), 'orchard-readme-'));
  try {
    const survey = 'id,smoker,age,city\n7,1,1,Lund\n8,0,0,Kiel\n9,0,1,Lund\n10,1,0,Lund\n';
    writeFileSync(join(folder, 'survey.csv.gz'), gzipSync(survey));
    writeFileSync(join(folder, 'test.csv'), 'age,city=Lund,city=Kiel,smoker\n0,1,0,1\n');
    writeFileSync(join(folder, 'unfinished.csv'), 'a,b\n1,?\n0,1\n');

    const printed: string[] = [];
    const [importLine = ''] = /^import .*$/m.exec(example) ?? [];
    const names = importLine.replace(/^import (\{.*\}).*$/, '$1');
    const body = example.replace(importLine, `const ${names} = dataset;`);
    const AsyncFunction = (async () => Promise.resolve()).constructor as new (
      ...code: string[]
    ) => (...values: unknown[]) => Promise<void>;
    const log = (...values: unknown[]): unknown => printed.push(values.join(' '));
    await new AsyncFunction('dataset', 'folder', 'console', body)(dataset, folder, { log });
    expect(printed).toEqual(expected);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
