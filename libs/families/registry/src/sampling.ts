import { damagedBelow, interruptedTask, storedNames, type Run } from '@orchard/pipeline';
import { familyOfAnswers } from './answer-family.js';
import {
  readSlice,
  samplingName,
  samplingSchema,
  sliceName,
  slicesFolder,
  slicesOf,
} from './sampling-specification.js';

/** Rows that are sampled by slices: row r depends on the seed and on r alone. */
export const sampling = familyOfAnswers({
  name: samplingName,
  description: 'rows sampled from a model, by slices',
  specification: samplingSchema,
  kinds: [{ kind: 'sample', pool: 'worker', state: 'sampling', folder: slicesFolder, counted: slicesFolder }],
  plan: async (store, run) => {
    const stored = await storedNames(store, run);
    const all = slicesOf(run.specification)!;
    const open = all.filter((slice) => !stored.has(sliceName(run.id, slice)));
    return {
      open: open.map(({ key }) => ({ kind: 'sample', key })),
      stages: { sample: { total: all.length, done: all.length - open.length } },
    };
  },
  handlers: {
    sample: async ({ store, compute, signal, onProgress }, run, { key }) => {
      const slice = slicesOf(run.specification)!.find((one) => one.key === key)!;
      const where = sliceName(run.id, slice);
      if ((await store.head(where)) !== null) return { stored: 'exists' };
      const input = { specification: run.specification, first: slice.first, rows: slice.rows };
      const bytes = await compute.call<Uint8Array | null>('sample', input, {
        signal,
        onProgress,
        what: `slice ${key}`,
      });
      if (bytes === null) throw interruptedTask(`slice ${key}`);
      return { stored: await store.put(where, bytes) };
    },
  },
  damaged: (store, { id }: Pick<Run, 'id'>) => damagedBelow(store, `runs/${id}/${slicesFolder}/`, readSlice),
});
