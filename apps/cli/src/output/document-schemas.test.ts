import { expect, test } from 'vitest';
import { createProgram } from '../program.js';
import { checkDocument, documentSchemas } from './document-schemas.suite.js';
import { Terminal } from './terminal.js';

/** Commands that print text for a shell, a reader or another program alone. */
const withoutDocument = ['answer', 'completion', 'help', 'man'];

test('every command but those that print text alone has a schema of what --json prints', async () => {
  const streams = { stdout: process.stdout, stderr: process.stderr };
  const terminal = new Terminal({ json: false, quiet: false }, process.stdout, process.stderr, {});
  const { commands } = await createProgram(terminal, streams);
  const names = commands.map((command) => command.name());
  expect([...Object.keys(documentSchemas()), ...withoutDocument].sort()).toEqual([...names, 'error'].sort());
});

test('a document with another field, without one, or with one of another type differs from its schema', () => {
  const [a, b] = [-1, -1.5].map((logLikelihood) => ({ logLikelihood, isLowerBound: false }));
  const whole = { a, b, rows: 2, difference: 0.5, standardError: null, better: 'neither' };
  const document = { ...whole, columns: [], otherLabels: [], sumOfWeights: null };
  checkDocument('compare', document);
  const others = [
    { ...document, more: 1 },
    { ...document, rows: '2' },
    { ...document, columns: undefined },
  ];
  for (const other of others) expect(() => checkDocument('compare', other)).toThrow('its schema does not allow');
  expect(() => checkDocument('compare', { error: { message: 'no' } })).toThrow('its schema does not allow');
});
