import { answersOf, asTabular } from '@orchard/model';
import { columnsIn } from '@orchard/dataset';
import type { Operation } from './operation.js';

/** What a model is: its kind, its columns, and how likely it found the rows of its run. */
export const describe: Operation = (model) => {
  const { family, names, shape, likelihoods, specification, likelihoodIs = null, table = null } = model;
  return {
    family,
    rows: columnsIn(model).kind,
    variables: asTabular(model).table.variables.map(({ name }) => name),
    isNamed: table !== null || names !== null,
    shape,
    table,
    likelihoods,
    specification,
    likelihoodIs,
    answers: answersOf(model),
    facts: model.summary().facts,
  };
};
