export { CodeClasses, TableClasses } from './code-classes.js';
export { startOfTable, stepOfTable, type TableStep } from './learn-table-experts.js';
export { activeShares, firstLevels, MARGIN, MOST_EXPERTISE, movedLevels, type UpdateOptions } from './levels.js';
export { explainBy, type Candidates, type Explanation } from './matching-pursuit.js';
export { mostExpertsOf, mostTogether, productsOfSets, setsOfExperts, type ProductsOfSets } from './sets-of-experts.js';
export { TableCandidates } from './table-candidates.js';
export { TableExperts, type TableExpertParts } from './table-experts.js';
