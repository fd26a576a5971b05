import type { KeptRule, Table } from '@orchard/contracts';
import { findBroken, ruledBy, type BrokenRule, type RuledScores, type RulesOfModel } from '@orchard/analysis';
import { codeOffsets, countRows, type BitMatrix, type FoundRule } from '@orchard/dataset';
import { ModelError, rulesOf, type Rule, type TabularModel } from '@orchard/model';
import type { Splits } from '@orchard/pipeline';
import { UsageError } from '../output/errors.js';
import { linesOf } from '../options/table-options.js';
import { repeatedly } from '../options/values.js';
import { count, counted, nats as figure } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';
import { trainingRowsBeside } from './training-rows.js';
import { useSecondFile, type TableRowsOptions } from '../rows/load-table-rows.js';
import { option, type TypedOption } from '../options/option.js';

/** Which rules hold of every row, as parsed: false leaves the rules of the model. */
export interface RuleOptions {
  readonly rule?: readonly string[];
  readonly rules?: string | false;
}

export interface ModelAtPath {
  readonly model: TabularModel;
  /** Combinations are those of the training rows beside it. */
  readonly path: string;
}

export const ruleOptions = () => [
  option(
    '--rule <rule>',
    'tables: what holds of every row, once for each: "start <= end", "total = price + tax", "combination(country, city)", "b is missing unless a = yes"',
    repeatedly(),
  ),
  option('--rules <file>', 'the same as --rule, from a file with one rule per line') as TypedOption<RuleOptions>,
];

/** Of commands that ask a model, which may have rules. */
export const ruleOptionsOfModel = () => [
  ...ruleOptions(),
  option('--no-rules', 'leave the rules that the model was trained with'),
];

/** @throws UsageError for rules, which only the model of a table follows */
function refuseRulesOfBits(): never {
  throw new UsageError({
    got: 'rules for rows of 0 and 1',
    expected: 'the model of a table',
    where: '--rule',
    remedy: 'Leave it out, or train with --model tables.',
  });
}

/**
 * What holds of every row: rules that the model was trained with, and those that are said; null where there are none.
 *
 * @throws UsageError for what is not a rule of this model
 */
export async function rulesFor(model: TabularModel, path: string, options: RuleOptions): Promise<RulesOfModel | null> {
  const trained = options.rules === false ? [] : (model.table.rules ?? []);
  const said = [...trained, ...saidRules(options)];
  return said.length === 0 ? null : ruledModel(model, path, said);
}

/** The rules that were said, one after another; a line that begins with # is a remark. */
export function saidRules({ rule = [], rules }: RuleOptions): readonly string[] {
  if (rules === undefined || rules === false) return rule;
  const lines = linesOf(rules, '--rules', 'a file of rules, one per line');
  return [...rule, ...lines.filter((line) => !line.startsWith('#'))];
}

async function ruledModel(
  model: TabularModel,
  path: string,
  said: readonly (string | KeptRule)[],
): Promise<RulesOfModel> {
  const wantsRows = said.some((one) => typeof one === 'string' && one.trim().startsWith('combination'));
  const training = wantsRows ? await trainingRowsBeside(path) : null;
  try {
    return ruledBy(model, said, training);
  } catch (error) {
    throw asUsageOfRules(error);
  }
}

/** What the command line says of a rule that cannot be; any other error as it is. */
function asUsageOfRules(error: unknown): unknown {
  if (!(error instanceof ModelError)) return error;
  const { got, expected, remedy, where = '' } = error;
  return new UsageError({
    got: `${got}${where.startsWith('the rule') ? ` in ${where}` : ''}`,
    expected,
    where: '--rule',
    remedy,
  });
}

/**
 * The splits of a table whose model keeps rules that hold of every row: combinations are those of the training rows.
 *
 * @throws UsageError for what is not a rule of this table
 */
export function withRules(
  splits: Splits,
  said: readonly string[],
): { readonly splits: Splits; readonly rules: readonly Rule[] } {
  const { train, valid, test } = splits;
  const { table = refuseRulesOfBits() } = train.columns;
  const rules = rulesOrUsage(table, said, train);
  const kept = rules.map((rule) => rule.kept);
  const keeping = (matrix: BitMatrix): BitMatrix => matrix.withColumns(matrix.columns.under(kept));
  return {
    splits: { train: keeping(train), valid: keeping(valid), test: test === null ? null : keeping(test) },
    rules,
  };
}

/** The sums that all rows keep and that no rule states; an equation of the same columns states one. */
export function rulesNotSaid(
  found: readonly FoundRule[],
  { train }: Splits,
  rules: readonly Rule[],
): readonly FoundRule[] {
  const { table } = train.columns;
  if (table === undefined) return [];
  const isSaid = ({ columns }: FoundRule): boolean =>
    rules.some(({ sum, variables }) => {
      const names = new Set(variables.map((index) => table.variables[index]!.name));
      return sum?.comparison === '=' && names.size === columns.length && columns.every((name) => names.has(name));
    });
  return found.filter((one) => !isSaid(one));
}

function rulesOrUsage(table: Table, said: readonly string[], train: BitMatrix): readonly Rule[] {
  try {
    return rulesOf(table, said, train, codeOffsets(table));
  } catch (error) {
    throw asUsageOfRules(error);
  }
}

/** Says which rows of a training file break the rules that its model is to keep. */
export async function sayBrokenRows(
  file: string,
  table: Table,
  rules: readonly Rule[],
  options: TableRowsOptions,
  terminal: Terminal,
): Promise<void> {
  await useSecondFile(file, { table }, options, terminal, async ({ table: raw }) => {
    const { found } = await findBroken(table, rules, raw, await countRows(raw));
    for (const one of found) if (one.broken > 0) terminal.remark(`warning: ${brokenInWords(one)}`);
  });
}

function brokenInWords({ rule, broken, first }: BrokenRule): string {
  const more = broken > first.length ? ` and ${count(broken - first.length)} more` : '';
  const which = broken === 0 ? '' : `: ${broken === 1 ? 'row' : 'rows'} ${first.map(count).join(', ')}${more}`;
  return `${counted(broken, 'row')} ${broken === 1 ? 'breaks' : 'break'} ${rule}${which}`;
}

export function showRuledScores({ rules, followed }: Omit<RuledScores, 'nats'>, terminal: Terminal): void {
  for (const rule of rules) terminal.result(brokenInWords(rule));
  if (followed.logLikelihood !== null)
    terminal.result(
      `under the rules ${figure(followed.logLikelihood)} nats per row, of ${counted(followed.rows, 'row')} that follow them`,
    );
}
