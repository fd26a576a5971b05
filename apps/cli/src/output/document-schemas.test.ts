import { expect, test } from 'vitest';
import { createProgram } from '../program.js';
import { checkDocument, commandsWithSchema } from './document-schemas.suite.js';
import { Terminal } from './terminal.js';

/** They print text for a shell, a reader or another program, and no document. */
const withoutDocument = ['answer', 'completion', 'help', 'man', 'register'];

test('every command that has --json has a schema of what it prints', () => {
  const streams = { stdout: process.stdout, stderr: process.stderr };
  const program = createProgram(
    new Terminal({ json: false, quiet: false }, process.stdout, process.stderr, {}),
    streams,
  );
  const names = program.commands.map((command) => command.name());
  expect([...commandsWithSchema, ...withoutDocument].sort()).toEqual([...names, 'error'].sort());
});

test('a document with another field, without one, or of another type is not what the schema says', () => {
  const right = { rows: 2, difference: 0.5, standardError: null, columns: [] };
  checkDocument('compare', right);
  const wrong = [
    { ...right, more: 1 },
    { ...right, rows: '2' },
    { ...right, columns: undefined },
  ];
  for (const document of wrong) expect(() => checkDocument('compare', document)).toThrow('not as its schema says');
  expect(() => checkDocument('evaluate', { error: { message: 'no' } })).toThrow('expected');
});
