import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readingOptions } from './table-options.js';

it('reads names in double quotes as JSON: they keep blanks at their ends, and line breaks', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orchard-types-'));
  try {
    const file = join(folder, 'types');
    writeFileSync(file, '" size =\\n(cm) "=categorical\n zip = binary \n"half=ordered\n"\\"q\\""=excluded\n');
    expect(readingOptions({ types: file }).types).toEqual({
      ' size =\n(cm) ': 'categorical',
      zip: 'binary',
      '"half': 'ordered',
      '"q"': 'excluded',
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
