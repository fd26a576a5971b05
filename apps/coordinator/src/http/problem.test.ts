import { NotFoundException } from '@nestjs/common';
import { parseContract } from '@orchard/contracts';
import { DatasetError } from '@orchard/dataset';
import { ModelError } from '@orchard/model';
import { PipelineError } from '@orchard/pipeline';
import { QueueError } from '@orchard/queue';
import { Refusal } from '@orchard/refusal';
import { RunError } from '@orchard/runs';
import { StorageError } from '@orchard/storage';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CoordinatorError } from '../errors.js';
import { answerOf } from './problem.js';

const parts = { got: 'secret-host', expected: 'that', where: 'there', remedy: 'Correct it.' };

const refusal = { got: 'ExpiredToken (400)', expected: 'success', where: 'runs/a', remedy: 'Renew it.' };

describe('the status of an answer follows from the code', () => {
  test.each([
    [new Refusal('invalid-contract', parts), 400, 'invalid-contract'],
    [new DatasetError('value', parts), 422, 'value'],
    [new DatasetError('missing-value', parts), 422, 'missing'],
    [new DatasetError('limit', parts), 413, 'limit'],
    [new ModelError('invalid-argument', parts), 422, 'invalid-argument'],
    [new PipelineError('bad-request', parts), 422, 'bad-request'],
    [new PipelineError('unknown-family', parts), 422, 'unknown-family'],
    [new PipelineError('missing-artefact', parts), 404, 'missing-artefact'],
    [new PipelineError('other-numerics', parts), 409, 'other-numerics'],
    [new RunError('unknown-run', parts), 404, 'unknown-run'],
    [new RunError('unknown-dataset', parts), 404, 'unknown-dataset'],
    [new RunError('damaged-record', parts), 409, 'damaged'],
    [new RunError('deleting', parts), 409, 'deleting'],
    [new RunError('dataset-in-use', parts), 409, 'dataset-in-use'],
    [new RunError('run-in-use', parts), 409, 'run-in-use'],
    [new StorageError('missing', parts), 404, 'missing'],
    [new StorageError('invalid-name', parts), 400, 'invalid-name'],
    [new CoordinatorError('damaged-model', parts), 500, 'damaged'],
    [new CoordinatorError('unavailable', parts), 503, 'unavailable'],
    [new CoordinatorError('too-many-requests', parts), 429, 'too-many-requests'],
  ])('%s', (error, status, code) => {
    expect(answerOf(error, 'r').problem).toMatchObject({
      status,
      code,
      detail: error.message,
      ...parts,
      requestId: 'r',
    });
  });

  test.each([
    [new StorageError('unavailable', parts), 503, 'unavailable'],
    [new StorageError('damaged', parts), 500, 'damaged'],
    [new QueueError('unreachable', parts), 503, 'unreachable'],
    [new PipelineError('thread-lost', parts), 503, 'thread-lost'],
    [new PipelineError('damaged-artefact', parts), 500, 'damaged'],
    [new Error('secret-host'), 500, 'internal'],
    [Object.assign(new Error('secret-host'), parts, { name: 'RunError', code: 'unknown-run' }), 500, 'internal'],
    [Object.assign(new Error('secret-host'), { name: 'MaxRetriesPerRequestError' }), 503, 'unavailable'],
  ])('%s, and nothing of the inside is told', (error, status, code) => {
    const { problem, headers } = answerOf(error, 'r');
    expect(problem).toMatchObject({ status, code });
    expect(JSON.stringify(problem)).not.toContain('secret');
    expect(/[Rr]epair|again/.exec(problem.detail)?.[0]).toBe(
      code === 'damaged' ? 'Repair' : status === 503 ? 'again' : undefined,
    );
    expect(headers).toEqual(status === 503 ? { 'Retry-After': '5' } : {});
  });

  test.each([
    [new StorageError('unavailable', parts), /^Object storage does not answer/],
    [new QueueError('unreachable', parts), /^Redis does not answer/],
    [new PipelineError('thread-lost', parts), /^A thread of the coordinator has ended/],
  ])('%s: it is said what does not answer', (error, words) => {
    expect(answerOf(error, 'r').problem.detail).toMatch(words);
  });

  test.each([
    [new StorageError('denied', refusal), 'Object storage refuses the coordinator: ExpiredToken (400). Renew it.'],
    [new StorageError('full', refusal), 'Object storage refuses the coordinator: ExpiredToken (400). Renew it.'],
    [new QueueError('read-only', refusal), 'Redis refuses the coordinator: ExpiredToken (400). Renew it.'],
  ])('%s is out of service, in the words of the server that refuses', (error, detail) => {
    expect(answerOf(error, 'r').problem).toMatchObject({ status: 503, code: error.code, detail });
  });

  test('of a value that only code can refuse it is 422', () => {
    const even = z.object({ leaves: z.number().refine((value) => value % 2 === 0) });
    const refusalOf = (value: unknown): unknown => {
      try {
        return parseContract(even, value, 'run request');
      } catch (error) {
        return error;
      }
    };
    expect(answerOf(refusalOf({ leaves: 3 }), 'r').problem.status).toBe(422);
    expect(answerOf(refusalOf({ leaves: 'x' }), 'r').problem.status).toBe(400);
  });

  test('of what the router says it is as it says', () => {
    expect(answerOf(new NotFoundException(), 'r').problem).toMatchObject({ status: 404, code: 'http-404' });
  });

  test('headers of an answer go with it', () => {
    const headers = { 'Retry-After': '7' };
    expect(answerOf(new CoordinatorError('too-many-requests', parts, { headers }), 'r').headers).toEqual(headers);
  });
});
