import type { OrderedVariable, Variable } from '@orchard/contracts';
import { DatasetError, didYouMean, Encoder, holeCode, numberOf, Restriction, valueCount } from '@orchard/dataset';
import type { TableModel } from '@orchard/tables';
import type { Given } from './table-documents.js';
import { codeOf } from './table-rows.js';

/** What is allowed, by variable. @throws DatasetError `column`, `value` for what the model has not */
export function restrictionsOf(
  { table }: TableModel,
  given: Readonly<Record<string, Given>>,
): Map<number, Restriction> {
  return new Map(
    Object.entries(given).map(([name, said]): [number, Restriction] => {
      const index = table.variables.findIndex((variable) => variable.name === name);
      const names = table.variables.map((variable) => variable.name);
      if (index === -1)
        throw new DatasetError('column', {
          got: `the column ${JSON.stringify(name.slice(0, 80))}`,
          expected: 'a variable of the model',
          where: 'given',
          remedy: didYouMean(name, names) ?? `Variables: ${names.slice(0, 8).join(', ')}.`,
        });
      return [index, restrictionOf(table.variables[index]!, said)];
    }),
  );
}

function restrictionOf(variable: Variable, said: Given): Restriction {
  const restriction = new Restriction(variable);
  if (typeof said === 'object' && said !== null && !Array.isArray(said)) {
    if (variable.kind !== 'ordered') throw impossible(variable, 'a range', 'a label, or a list of labels');
    restriction.allowRange(endOf(variable, said.from, -Infinity), endOf(variable, said.to, Infinity));
    if (restriction.isEmpty) throw impossible(variable, 'a range without values', 'a wider one');
    return restriction;
  }
  for (const cell of Array.isArray(said) ? said : [said]) {
    const code = cell === null ? holeCode(variable) : codeOf(new Encoder(variable), cell, null)[0];
    if (code === null) throw impossible(variable, 'null', 'a value: training had no holes there');
    if (cell !== null && code >= valueCount(variable))
      throw impossible(variable, JSON.stringify(String(cell).slice(0, 80)), 'a value that training had, or a range');
    if (cell !== null && variable.kind === 'ordered') restriction.allowValue(numberOf(cell, variable.format));
    else restriction.allowCode(code);
  }
  return restriction;
}

function endOf(variable: OrderedVariable, end: string | number | undefined, open: number): number {
  if (end === undefined) return open;
  const value = numberOf(end, variable.format);
  if (!Number.isNaN(value)) return value;
  throw impossible(variable, JSON.stringify(end), `a ${variable.format.type}`);
}

function impossible({ name }: Variable, got: string, expected: string): DatasetError {
  return new DatasetError('value', { got, expected, where: `given.${name}`, remedy: 'Correct what is given.' });
}
