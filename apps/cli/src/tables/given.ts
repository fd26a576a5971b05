import type { Variable } from '@orchard/contracts';
import { closestNames, codeCount, Encoder, holeCode, numberOf, shareIn, valueCount } from '@orchard/dataset';
import type { TableModel } from '@orchard/tables';
import { UsageError } from '../errors.js';

/**
 * What `--given` says: `smoker=yes,age=30..40`. A label, `a|b` for one of several, a number, a date, a range with either end
 * open, or nothing for an absent value.
 *
 * @returns how far each code is allowed, by variable
 * @throws UsageError for a column, label or range that the model has not
 */
export function givenOf(model: TableModel, texts: readonly string[]): Map<number, Float64Array> {
  const { variables } = model.table;
  const given = new Map<number, Float64Array>();
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
    const weights = weightsOf(variables[index]!, text.slice(at + 1).trim());
    if (!weights.some((weight) => weight > 0))
      throw refusal(JSON.stringify(text), `values that ${name} can have`, 'Widen the range.');
    given.set(index, weights);
  }
  return given;
}

function weightsOf(variable: Variable, text: string): Float64Array {
  const weights = new Float64Array(codeCount(variable));
  if (text === '') {
    const hole = holeCode(variable);
    if (hole === null)
      throw refusal(`nothing for ${variable.name}`, 'a value: training had no holes there', 'Give a value.');
    weights[hole] = 1;
    return weights;
  }
  for (const part of text.split('|')) {
    const range = variable.kind === 'ordered' ? /^(.*?)\.\.(.*)$/.exec(part) : null;
    if (range !== null && variable.kind === 'ordered') {
      const [low, high] = [range[1]!, range[2]!].map((end) => (end === '' ? NaN : valueOf(variable, end)));
      for (let code = 0; code < valueCount(variable); code++)
        weights[code] = Math.max(
          weights[code]!,
          shareIn(variable, code, Number.isNaN(low!) ? -Infinity : low!, Number.isNaN(high!) ? Infinity : high!),
        );
      continue;
    }
    const encoder = new Encoder(variable);
    const code = encoder.code(part, variable.kind === 'ordered' ? valueOf(variable, part) : NaN);
    if (code === null || code >= valueCount(variable))
      throw refusal(JSON.stringify(part), `a value that ${variable.name} had in training`, wordsOfValues(variable));
    weights[code] = 1;
  }
  return weights;
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

function wordsOfValues(variable: Variable): string {
  return variable.kind === 'ordered'
    ? 'Give a range, as 30..40.'
    : `It had ${variable.labels.slice(0, 8).join(', ')}${variable.labels.length > 8 ? ', …' : ''}.`;
}

function closest(name: string, variables: readonly Variable[]): string {
  const names = variables.map((variable) => variable.name);
  const near = closestNames(name, names);
  return (near.length > 0 ? near : names.slice(0, 8)).join(', ');
}

function refusal(got: string, expected: string, remedy: string): UsageError {
  return new UsageError({ got, expected, where: '--given', remedy });
}
