import type { Variable } from '@orchard/contracts';
import { closestNames, Encoder, holeCode, numberOf, Restriction, valueCount } from '@orchard/dataset';
import type { TableModel } from '@orchard/tables';
import { UsageError } from '../errors.js';

/**
 * What `--given` says: `smoker=yes,age=30..40`. A label, `a|b` for one of several, a number, a date, a range with either end
 * open, or nothing for an absent value.
 *
 * @returns what is allowed, by variable
 * @throws UsageError for a column, label or range that the model has not
 */
export function givenOf(model: TableModel, texts: readonly string[]): Map<number, Restriction> {
  const { variables } = model.table;
  const given = new Map<number, Restriction>();
  for (const text of texts) {
    const at = text.indexOf('=');
    const name = text.slice(0, at).trim();
    const index = variables.findIndex((variable) => variable.name === name);
    if (at <= 0 || index < 0)
      throw refusal(
        JSON.stringify(text),
        'a column of the model, =, and its value',
        `Columns: ${closest(name, variables)}.`,
      );
    const restriction = restrictionOf(variables[index]!, text.slice(at + 1).trim());
    if (restriction.isEmpty)
      throw refusal(
        JSON.stringify(text),
        `values that ${name} can have`,
        'Give a value that training had, or a wider range, as 30..40.',
      );
    given.set(index, restriction);
  }
  return given;
}

function restrictionOf(variable: Variable, text: string): Restriction {
  const restriction = new Restriction(variable);
  if (text === '') {
    const hole = holeCode(variable);
    if (hole === null)
      throw refusal(`nothing for ${variable.name}`, 'a value: training had no holes there', 'Give a value.');
    restriction.allowCode(hole);
    return restriction;
  }
  for (const part of text.split('|')) {
    if (variable.kind === 'ordered') {
      const [, low, high] = /^(.*?)\.\.(.*)$/.exec(part) ?? [];
      if (low === undefined || high === undefined) restriction.allowValue(valueOf(variable, part));
      else
        restriction.allowRange(
          low === '' ? -Infinity : valueOf(variable, low),
          high === '' ? Infinity : valueOf(variable, high),
        );
      continue;
    }
    const code = new Encoder(variable).code(part, NaN);
    if (code === null || code >= valueCount(variable))
      throw refusal(JSON.stringify(part), `a value that ${variable.name} had in training`, labelsOf(variable));
    restriction.allowCode(code);
  }
  return restriction;
}

function valueOf(variable: Variable & { kind: 'ordered' }, text: string): number {
  const value = numberOf(text.trim(), variable.format);
  if (!Number.isNaN(value)) return value;
  throw refusal(
    JSON.stringify(text),
    `a ${variable.format.type} for ${variable.name}`,
    'Write it as the training file does.',
  );
}

function labelsOf({ labels }: { readonly labels: readonly string[] }): string {
  return `It had ${labels.slice(0, 8).join(', ')}${labels.length > 8 ? ', …' : ''}.`;
}

function closest(name: string, variables: readonly Variable[]): string {
  const names = variables.map((variable) => variable.name);
  const near = closestNames(name, names);
  return (near.length > 0 ? near : names.slice(0, 8)).join(', ');
}

function refusal(got: string, expected: string, remedy: string): UsageError {
  return new UsageError({ got, expected, where: '--given', remedy });
}
