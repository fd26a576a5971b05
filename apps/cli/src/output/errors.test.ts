import { DatasetError } from '@orchard/dataset';
import { PipelineError } from '@orchard/pipeline';
import { StorageError } from '@orchard/storage';
import { expect, it } from 'vitest';
import { UsageError, errorDocument, exitCodeOf, interrupted } from './errors.js';

const parts = { got: 'this', expected: 'that', remedy: 'Correct it.' };

it.each([
  ['a command line that cannot be followed', new UsageError(parts), 2],
  ['rows that were refused', new DatasetError('value', parts), 2],
  ['words that do not fit together', new PipelineError('bad-request', parts), 2],
  ['a full disk', new StorageError('full', parts), 1],
  ['a store that must not be written to', new StorageError('denied', parts), 1],
  ['an artefact that does not hold', new PipelineError('damaged-artefact', parts), 1],
  ['a thread that died', new PipelineError('thread-lost', parts), 1],
  ['anything else', new Error('out of memory'), 1],
  ['Ctrl-C', interrupted('Go on.'), 130],
])('%s ends the process with its code', (_, error, code) => {
  expect(exitCodeOf(error)).toBe(code);
});

it('has every part of a refusal in its document, and null for what there is not', () => {
  const refused = errorDocument(new UsageError({ ...parts, where: '--rounds' }));
  const message = '--rounds: got this, expected that. Correct it.';
  expect(refused).toEqual({ error: { message, ...parts, where: '--rounds' } });
  const failed = errorDocument(new Error('out of memory'));
  expect(failed).toEqual({
    error: { message: 'out of memory', got: null, expected: null, where: null, remedy: null },
  });
});
