/** Up to so many distinct texts are labels, however few rows there are. */
export const ALWAYS_LABELS = 10;
/** Of more distinct cells, nine in ten of which are numbers, dates or times, the others are taken for mistakes. */
export const FEW_DISTINCT = 20;
