import { nats } from '@orchard/model';
import type { OpenedModel } from './messages.js';

/** Names of columns that are listed before they are counted. */
const MOST_NAMES = 12;

export function ModelFacts({ model }: { model: OpenedModel }) {
  const { family, isOfTable, columns, dimensions, validation, isBound } = model;
  const names = columns?.slice(0, MOST_NAMES).join(', ');
  const more =
    columns !== null && columns.length > MOST_NAMES ? ` and ${String(columns.length - MOST_NAMES)} more` : '';
  return (
    <div class="words">
      Family {family}, {isOfTable ? 'of a table' : 'of rows of 0 and 1'}, {dimensions}{' '}
      {dimensions === 1 ? 'column' : 'columns'}
      {names !== undefined && `: ${names}${more}`}
      {validation !== null && `; ${nats(validation)} nats per validation row`}
      {isBound && '; its likelihoods are lower bounds'}
    </div>
  );
}
