/** What is known of pairs of columns, whatever their values. */
export interface PairInformation {
  readonly dimensions: number;
  /** H(column) in nats. */
  entropy(column: number): number;
  /** I(a; b) in nats; the same in both directions. */
  information(a: number, b: number): number;
}
