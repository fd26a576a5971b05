import { damagedBelow, interruptedTask, parseDocument, readDocument, storedNames, type Run } from '@orchard/pipeline';
import { familyOfAnswers } from './answer-family.js';
import {
  evaluationName,
  evaluationNames,
  evaluationSchema,
  evaluationSpecificationSchema,
  onlyKey,
  readRowsOfFileSchema,
  type EvaluationSpecification,
} from './evaluation-specification.js';
import { unsealed } from './sealed.js';

/** Rows of a source that one worker reads as the model's, that all score part by part, and that one adds up. */
export const evaluation = familyOfAnswers({
  name: evaluationName,
  description: 'how likely the rows of a source are, by parts',
  specification: evaluationSpecificationSchema,
  kinds: [
    { kind: 'read', pool: 'worker', state: 'reading', folder: 'read', counted: null },
    { kind: 'score', pool: 'worker', state: 'scoring', folder: 'scores', counted: 'parts' },
    { kind: 'sum', pool: 'worker', state: 'summing', folder: 'evaluation', counted: null },
  ],
  plan: async (store, run) => {
    const stored = await storedNames(store, run);
    const one = (isDone: boolean): { total: number; done: number } => ({ total: 1, done: isDone ? 1 : 0 });
    if (!stored.has(evaluationNames.read(run.id)))
      return { open: [{ kind: 'read', key: onlyKey }], stages: { read: one(false), score: null, sum: one(false) } };
    const { parts } = await readDocument(store, evaluationNames.read(run.id), readRowsOfFileSchema);
    const isDone = stored.has(evaluationNames.result(run.id));
    const open = isDone
      ? []
      : Array.from({ length: parts }, (_, part) => part).filter(
          (part) => !stored.has(evaluationNames.scores(run.id, part)),
        );
    const sums = isDone || open.length > 0 ? [] : [{ kind: 'sum', key: onlyKey }];
    return {
      open: [...open.map((part) => ({ kind: 'score', key: `p${part}` })), ...sums],
      stages: { read: one(true), score: { total: parts, done: parts - open.length }, sum: one(isDone) },
    };
  },
  handlers: {
    read: async ({ store, compute, signal, onProgress, sources }, run) => {
      if ((await store.head(evaluationNames.read(run.id))) !== null) return { stored: 'exists' };
      const { source } = run.specification as unknown as EvaluationSpecification;
      const input = { run, s3: sources === undefined ? {} : sources(source) };
      const isDone = await compute.call<boolean>('read', input, { signal, onProgress, what: `the rows of ${source}` });
      if (!isDone) throw interruptedTask(`the rows of ${source}`);
      return { stored: 'created' };
    },
    score: async ({ store, compute, signal }, run, { key }) => {
      const part = Number(key.slice(1));
      const where = evaluationNames.scores(run.id, part);
      if ((await store.head(where)) !== null) return { stored: 'exists' };
      const bytes = await compute.call<Uint8Array>('score', { run, part }, { signal, what: `part ${key}` });
      return { stored: await store.put(where, bytes) };
    },
    sum: async ({ store, compute, signal }, run) => {
      if ((await store.head(evaluationNames.result(run.id))) !== null) return { stored: 'exists' };
      await compute.call('sum', { run }, { signal, what: 'the sums of all parts' });
      return { stored: 'created' };
    },
  },
  damaged: async (store, { id }: Pick<Run, 'id'>) => [
    ...(await damagedBelow(store, `runs/${id}/read/`, (bytes, where) =>
      parseDocument(bytes, where, readRowsOfFileSchema),
    )),
    ...(await damagedBelow(store, `runs/${id}/parts/`, unsealed)),
    ...(await damagedBelow(store, `runs/${id}/scores/`, unsealed)),
    ...(await damagedBelow(store, `runs/${id}/evaluation/`, (bytes, where) =>
      parseDocument(bytes, where, evaluationSchema),
    )),
  ],
});
