/**
 * Sizes beyond which an input is refused, each in this one place. A file without imports (`@orchard/contracts/limits`),
 * so that the readers of data sets and the format of networks, which know no documents, take them from here too.
 */

/** Rounds of one conditional beyond this are refused: its curves alone would be megabytes. */
export const MAXIMUM_ROUNDS = 100_000;
/** The network file numbers the leaves of a tree in 16 bits. */
export const MAXIMUM_LEAVES = 65_536;
/** Columns of a data set: wider rows are refused by every reader, and so are networks and orderings. */
export const MAXIMUM_DIMENSIONS = 2 ** 18;
/** Models in a mixture: each is as dear as a run of its own. */
export const MAXIMUM_MEMBERS = 1024;
