import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { consequences, type RefusalCode } from './index.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const codes = Object.keys(consequences) as RefusalCode[];

/** Where refusals are made: the sources of all libraries and programs but this one, without tests. */
function sources(): string {
  const files = ['libs', 'apps'].flatMap((top) =>
    readdirSync(`${root}${top}`, { recursive: true, encoding: 'utf8' }).map((file) => `${top}/${file}`),
  );
  const made = files.filter(
    (file) =>
      /\/src\/.*(?<!\.test|\.suite)\.ts$/.test(file) &&
      !file.startsWith('libs/core/refusal/') &&
      !file.includes('node_modules'),
  );
  return made.map((file) => readFileSync(`${root}${file}`, 'utf8')).join('\n');
}

test('every code is thrown by some library or program', () => {
  const made = sources();
  // as the first argument of a class that is a refusal, of one of a file's own functions, or as `code`
  const isMade = (code: string): boolean =>
    new RegExp(
      `(Refusal|Error|fail|notNow|super)\\((\\w+, \\w+, )?\\s*'${code}'|code: '${code}'|: \\['${code}', `,
    ).test(made);
  expect(codes.filter((code) => !isMade(code))).toEqual([]);
});

/** Answers of servers that the coordinator needs, which no waiting mends. */
const outOfService = ['denied', 'unsupported', 'invalid-url', 'unsuitable-server', 'refused', 'other-store'];

test('what may succeed later is no fault of whoever asks, whose exit code or status would say that it is', () => {
  for (const code of codes) {
    const { retryable, exit, http } = consequences[code];
    if (retryable) expect([code, exit]).not.toEqual([code, 2]);
    if (http === 503 && !retryable) expect(outOfService).toContain(code);
    expect(http, code).toBeGreaterThanOrEqual(400);
  }
});

test('a code is told in another word only where that word is another code too', () => {
  const told = codes.flatMap((code) => consequences[code].told ?? []);
  expect(told).toEqual(['missing', 'damaged', 'damaged', 'damaged']);
  for (const word of told) expect(codes).toContain(word);
});
