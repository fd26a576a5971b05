/** Experts of a table's variables (Gößling's thesis, ch. 4, for columns of several values): their sets, and EM. */
export { TableClasses } from './code-classes.js';
export { startOfTable, stepOfTable } from './learn-table-experts.js';
export { mostExpertsOf, mostTogether, productsOfSets } from './sets-of-experts.js';
export { TableExperts } from './table-experts.js';
