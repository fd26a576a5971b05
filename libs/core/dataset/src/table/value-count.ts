/** A value and its training rows. */
export type ValueCount = readonly [value: number, count: number];
