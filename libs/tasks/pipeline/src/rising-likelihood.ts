/** A likelihood that is known before all of a model is trained, in mean nats per row. */
export interface RisingLikelihood {
  /** What it is of, for people who watch: which rows, and what counts for tasks that are missing. Whole sentences. */
  readonly of: string;
  /** What the tasks that report it train, in a user's words: `conditionals`. */
  readonly called: string;
  /** Before any task has reported; null where nothing is known before. */
  readonly before: number | null;
  /** Whether a task is any part of it. */
  counts(key: string): boolean;
  /**
   * After one more task that counts; the order in which they report does not matter.
   *
   * @param nats summed over the rows that validate the task
   */
  rise(soFar: number | null, key: string, nats: number): number | null;
}

/** Of tasks that each train a part of the model: what is missing counts as something simple. */
export interface SumOfTasks extends Pick<RisingLikelihood, 'of' | 'called'> {
  readonly before: number;
  /** What a task adds when it reports, in mean nats per row; null for one that is not part of it. */
  adds(key: string, nats: number): number | null;
}

export function sumOfTasks({ of, called, before, adds }: SumOfTasks): RisingLikelihood {
  return {
    of,
    called,
    before,
    counts: (key) => adds(key, 0) !== null,
    rise: (soFar, key, nats) => (soFar ?? before) + (adds(key, nats) ?? 0),
  };
}

/** Of tasks that each end in a whole model, of which the validation rows choose. */
export interface BestOfTasks extends Pick<RisingLikelihood, 'of' | 'called'> {
  /** Validation rows. */
  readonly rows: number;
  /** Whether the model of a task may be chosen. @default all of them */
  readonly mayBeChosen?: (key: string) => boolean;
}

export function bestOfTasks({ of, called, rows, mayBeChosen = () => true }: BestOfTasks): RisingLikelihood {
  return {
    of,
    called,
    before: null,
    counts: () => true,
    rise: (soFar, key, nats) => (mayBeChosen(key) ? Math.max(soFar ?? -Infinity, nats / rows) : soFar),
  };
}
