import { answersOf, isTabular } from '@orchard/model';
import type { Operation } from './operation.js';

/** What a model is: its kind, its columns, and how likely it found the rows of its run. */
export const describe: Operation = (model) => {
  const { family, dimensions, names, shape, likelihoods, specification, likelihoodIs = null } = model;
  return {
    family,
    rows: isTabular(model) ? 'table' : 'bits',
    variables: isTabular(model)
      ? model.table.variables.map(({ name }) => name)
      : (names ?? Array.from({ length: dimensions }, (_, at) => String(at + 1))),
    isNamed: isTabular(model) || names !== null,
    shape,
    table: isTabular(model) ? model.table : null,
    likelihoods,
    specification,
    likelihoodIs,
    answers: answersOf(model),
    facts: model.summary().facts,
  };
};
