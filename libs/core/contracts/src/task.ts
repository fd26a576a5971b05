import { z } from 'zod';
import { sha256Schema } from './specification.js';

/** Who does the work: workers have threads and data and are scaled at will; selectors are few and see all results. */
export const pools = ['worker', 'selector'] as const;

export type Pool = (typeof pools)[number];

/** What people call a program that takes tasks: both kinds may have the name of one host. */
export function programCalled(pool: Pool, name: string): string {
  return `${pool === 'selector' ? 'Selector' : 'Worker'} ${name}`;
}

const kindPattern = '[a-z]{1,24}';
const keyPattern = '[A-Za-z0-9][A-Za-z0-9._=-]{0,150}';

/** The smallest work that is done, stored, retried and counted. The same task twice is the same bytes. */
const taskSchema = z.strictObject({
  run: sha256Schema,
  kind: z.string().regex(new RegExp(`^${kindPattern}$`)),
  /**
   * Tells the tasks of a kind apart. One that is about a dimension ends in its number: `17`, or `<more>.17`; one about
   * a member of a mixture begins with it: `m3.17`, of a committee's network 2 `m3n2.17`. A batch of neighbours ends in
   * how many they are at most and which: `64=2` for 128 to 191.
   */
  key: z.string().regex(new RegExp(`^${keyPattern}$`)),
});

export type Task = z.infer<typeof taskSchema>;

/**
 * The names of a task, there and back; no other code takes one apart.
 *
 * | name     | is                                | example                               |
 * |----------|-----------------------------------|---------------------------------------|
 * | job      | its name in the queue             | `train-<run>-17`                      |
 * | work     | what its attempts count under     | `train/17`                            |
 * | artefact | what it stores, in a kind's folder | `runs/<run>/conditionals/17`         |
 * | words    | what people read                  | `dimension 17 (train)`, `dimension 17 of member 3 (train)` |
 */
export const taskNames = {
  job: ({ run, kind, key }: Task): string => `${kind}-${run}-${key}`,
  work: ({ kind, key }: Pick<Task, 'kind' | 'key'>): string => `${kind}/${key}`,
  artefact: ({ run, key }: Pick<Task, 'run' | 'key'>, folder: string): string => `runs/${run}/${folder}/${key}`,
  words: (task: Pick<Task, 'kind' | 'key'>): string => {
    const dimension = dimensionOfTask(task);
    const own = memberOfTask(task);
    const [, size, block] = batchEnd.exec(task.key) ?? [];
    if (size !== undefined) {
      const first = Number(size) * Number(block);
      return `dimensions ${first} to ${first + Number(size) - 1}${own === null ? '' : ` of ${wordsOf(own)}`} (${task.kind})`;
    }
    if (dimension === null)
      return own === null ? `${task.kind} ${task.key}` : `${task.kind} ${own.rest} of ${wordsOf(own)}`;
    return `dimension ${dimension}${own === null ? '' : ` of ${wordsOf(own)}`} (${task.kind})`;
  },

  ofJob: (name: string): Task | null => {
    const [, kind, run, key] = jobName.exec(name) ?? [];
    return kind === undefined ? null : { run: run!, kind, key: key! };
  },
  ofWork: (run: string, name: string): Task | null => {
    const [, kind, key] = workName.exec(name) ?? [];
    return kind === undefined ? null : { run, kind, key: key! };
  },
  /** The key of an artefact's task; null for a name that is not in this folder. */
  keyOfArtefact: (name: string, run: string, folder: string): string | null => {
    const prefix = `runs/${run}/${folder}/`;
    const key = name.startsWith(prefix) ? name.slice(prefix.length) : '';
    return wholeKey.test(key) ? key : null;
  },
} as const;

const jobName = new RegExp(`^(${kindPattern})-([0-9a-f]{64})-(${keyPattern})$`);
const workName = new RegExp(`^(${kindPattern})/(${keyPattern})$`);
const wholeKey = new RegExp(`^${keyPattern}$`);

/** The stored dimension that a task is about, or null. */
export function dimensionOfTask({ key }: Pick<Task, 'key'>): number | null {
  const number = /(?:^|\.)(0|[1-9]\d{0,8})$/.exec(key)?.[1];
  return number === undefined ? null : Number(number);
}

const batchEnd = /(?:^|\.)([1-9]\d{0,3})=(0|[1-9]\d{0,8})$/;

/**
 * The batch that a task about a dimension falls into, and the keys of all that would: neighbours, cut at multiples of
 * `size`, so that two who make batches of the same tasks make the same ones. Null where a task is about no dimension.
 */
export function batchOf(
  { run, kind, key }: Task,
  size: number,
): { readonly task: Task; readonly keys: string[] } | null {
  const dimension = dimensionOfTask({ key });
  if (dimension === null) return null;
  const prefix = key.slice(0, key.length - String(dimension).length);
  const block = Math.floor(dimension / size);
  const keys = Array.from({ length: size }, (_, at) => `${prefix}${block * size + at}`);
  return { task: { run, kind, key: `${prefix}${size}=${block}` }, keys };
}

/** One network among those that a mixture is made of. */
export interface MemberNetwork {
  readonly member: number;
  /** Which of a committee's; null where the member is one network. */
  readonly network: number | null;
}

/** The key of a member's task, by what the key of a run of that one network would be. */
export function memberKey({ member, network }: MemberNetwork, rest: string): string {
  return `m${member}${network === null ? '' : `n${network}`}.${rest}`;
}

/** The member that a task is about, and what is left of its key; null where it is about none. */
export function memberOfTask({ key }: Pick<Task, 'key'>): (MemberNetwork & { readonly rest: string }) | null {
  const [, member, network, rest] = /^m(0|[1-9]\d{0,3})(?:n(0|[1-9]\d{0,3}))?\.(.+)$/.exec(key) ?? [];
  if (member === undefined) return null;
  return { member: Number(member), network: network === undefined ? null : Number(network), rest: rest! };
}

function wordsOf({ member, network }: MemberNetwork): string {
  return `${network === null ? '' : `network ${network} of `}member ${member}`;
}

/** Raised whenever a job means something else than before: a worker of another version gives the job back. */
export const JOB_VERSION = 3;

const detailSchema = z.record(z.string(), z.union([z.string(), z.number()]));

/** What a queue carries: ids and numbers only, never data. */
export const jobSchema = z.strictObject({
  version: z.literal(JOB_VERSION),
  task: taskSchema,
  /** Which family the run is of, and whose arithmetic its bytes are. */
  family: z.string(),
  numericsVersion: z.int(),
  /** What the task's handler would otherwise have to read: see the family. */
  detail: detailSchema,
  /** Nothing of it was stored, as far as the maker of the job knows: nothing is looked for. */
  isNew: z.boolean(),
  /**
   * Of a batch its tasks, of which `task` is the name: each is stored, counted and fails by itself. Absent of a job of
   * one task.
   */
  batch: z
    .array(z.strictObject({ key: taskSchema.shape.key, detail: detailSchema }))
    .min(1)
    .optional(),
});

export type Job = z.infer<typeof jobSchema>;
export type TaskDetail = Job['detail'];

export function tasksOfJob({ task, batch }: Pick<Job, 'task' | 'batch'>): readonly Task[] {
  return batch?.map(({ key }) => ({ ...task, key })) ?? [task];
}

/** How far a task is; the newest replaces all before. */
export const taskProgressSchema = z.strictObject({
  /** Of the whole task, what was done by earlier holders included: 0 to 1. */
  share: z.number().min(0).max(1),
  /** Grown or refitted by this holder: 0 where the artefact was there. */
  trees: z.int().min(0),
  /** Summed nats over the validation rows, of the best so far; null where the task has none. */
  nats: z.number().nullable(),
});

export type TaskProgress = z.infer<typeof taskProgressSchema>;

export const noProgress: TaskProgress = { share: 0, trees: 0, nats: null };
