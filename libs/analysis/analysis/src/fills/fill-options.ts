import type { Completion } from '@orchard/model';

/** What one value a missing one may be filled in by. */
export const points = ['mean', 'median', 'mode'] as const;
export type Point = (typeof points)[number];

export interface FillOptions {
  readonly seed: number;
  /** Particles per row, where the model does not fill in exactly. */
  readonly samples: number;
  /** Completions, where it does not. */
  readonly draws: number;
  readonly point: Point;
  /** Of single columns, by their place in the model; the others have {@link point}. */
  readonly points?: ReadonlyMap<number, Point>;
  /** The probability of the intervals; undefined where none are wanted. */
  readonly interval: number | undefined;
}

/** A missing value, filled in. */
export interface FilledCell {
  readonly row: number;
  /** The column's place in the model. */
  readonly index: number;
  readonly value: string;
  /** The ends of the interval; null of labels, which have no order, and where none was wanted. */
  readonly low: string | null;
  readonly high: string | null;
  /** Of the interval; of a label its own. Null where no interval was wanted. */
  readonly probability: number | null;
}

export interface TableFills {
  /** By row, in a row by column; rows are numbered from the first of all. */
  readonly cells: readonly FilledCell[];
  /** Missing values that stay missing, as rules have them: they are not among the cells. */
  readonly left: readonly Pick<FilledCell, 'row' | 'index'>[];
  /** How probable what is known is, and how far draws can be trusted. */
  readonly completion: Completion;
  /** Rows whose points break a rule together, so that they have the nearest of their samples; from the first of all. */
  readonly moved: readonly number[];
  /** Whether the cells are of the distributions themselves, not of draws. */
  readonly isExact: boolean;
}
