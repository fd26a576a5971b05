import { readFileSync } from 'node:fs';
import type { KeptRule, Table } from '@orchard/contracts';
import { countRows, encodeParts, type BitMatrix, type RawTable } from '@orchard/dataset';
import { underRules } from '@orchard/members';
import { ModelError, moments, rulesOf, type Rule, type RuledRows, type TabularModel } from '@orchard/model';
import { Option, type Command } from 'commander';
import { messageOf, UsageError } from '../errors.js';
import { repeatedly } from '../options/values.js';
import { count, counted, nats as figure } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';
import { trainingRowsBeside } from '../run-folder/training-rows.js';
import { useSecondFile, type TableRowsOptions } from './load-table-rows.js';

/** The parsed options that say which rules hold of every row. */
export interface RuleOptions {
  readonly rule?: readonly string[];
  /** A file of rules; false leaves the rules of the model. */
  readonly rules?: string | false;
}

/** A model, and where its file is. */
export interface ModelAtPath {
  readonly model: TabularModel;
  /** Combinations are those of the training rows beside it. */
  readonly path: string;
}

/** Rules of a model, and the model under them. */
export interface RulesOfModel {
  readonly rules: readonly Rule[];
  readonly ruled: RuledRows;
}

/** The options that say rules. */
export function ruleOptions(): readonly Option[] {
  return [
    new Option(
      '--rule <rule>',
      'tables: what holds of every row, once for each: "start <= end", "total = price + tax", "combination(country, city)", "b is missing unless a = yes"',
    ).argParser(repeatedly((text) => [text])),
    new Option('--rules <file>', 'the same as --rule, from a file with one rule per line'),
  ];
}

export function addRuleOptions(command: Command): Command {
  for (const option of ruleOptions()) command.addOption(option);
  return command.addOption(new Option('--no-rules', 'leave the rules that the model was trained with'));
}

/** @throws UsageError for rules, which only the model of a table follows */
export function refuseRulesOfBits({ rule, rules }: RuleOptions): void {
  if (rule === undefined && typeof rules !== 'string') return;
  const flag = rule === undefined ? '--rules' : '--rule';
  throw new UsageError({
    got: `${flag} for rows of 0 and 1`,
    expected: 'the model of a table',
    where: flag,
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
  try {
    const lines = readFileSync(rules, 'utf8')
      .split(/\r?\n/)
      .map((line) => line.trim());
    return [...rule, ...lines.filter((line) => line !== '' && !line.startsWith('#'))];
  } catch (cause) {
    throw new UsageError(
      {
        got: `${rules}, which cannot be read (${messageOf(cause)})`,
        expected: 'a file of rules, one per line',
        where: '--rules',
        remedy: 'Check the path.',
      },
      { cause },
    );
  }
}

async function ruledModel(
  model: TabularModel,
  path: string,
  said: readonly (string | KeptRule)[],
): Promise<RulesOfModel> {
  const wantsRows = said.some((one) => typeof one === 'string' && one.trim().startsWith('combination'));
  return ruledBy(model, said, wantsRows ? await trainingRowsBeside(path) : null);
}

/**
 * What holds of every row for a program that asks: rules that the model was trained with, unless it says false, and
 * those that it says; null where there are none.
 *
 * @throws UsageError for what is not a rule of this model, and for combinations that it does not keep
 */
export function rulesAsked(model: TabularModel, asked: readonly string[] | false = []): RulesOfModel | null {
  const said = asked === false ? [] : [...(model.table.rules ?? []), ...asked];
  return said.length === 0 ? null : ruledBy(model, said, null);
}

export function rulesOfBits(): UsageError {
  return new UsageError({
    got: 'rules for rows of 0 and 1',
    expected: 'the model of a table',
    where: 'rules',
    remedy: 'Leave them out.',
  });
}

function ruledBy(model: TabularModel, said: readonly (string | KeptRule)[], training: BitMatrix | null): RulesOfModel {
  try {
    const rules = rulesOf(model.table, said, training, model.offsets);
    return { rules, ruled: underRules(model, rules) };
  } catch (error) {
    throw asUsageOfRules(error);
  }
}

/** What the command line says of a rule that cannot be; any other error as it is. */
export function asUsageOfRules(error: unknown): unknown {
  if (!(error instanceof ModelError)) return error;
  const { got, expected, remedy, where = '' } = error;
  return new UsageError({
    got: `${got}${where.startsWith('the rule') ? ` in ${where}` : ''}`,
    expected,
    where: '--rule',
    remedy,
  });
}

/** Numbers of rows that are named of a rule. */
const MOST_NAMED = 10;

/** How many rows of a file break a rule, and which of them come first, counted from 1. */
interface BrokenRule {
  readonly rule: string;
  readonly broken: number;
  readonly first: readonly number[];
}

/** How rows of a file stand to rules. */
export interface RuledScores {
  readonly rules: readonly BrokenRule[];
  /** Of rows that follow all rules and have no unknown values: how many, and their mean log P under the rules. */
  readonly followed: { readonly rows: number; readonly logLikelihood: number | null };
}

/** Which rows of a file break rules. @param count of all its rows */
async function findBroken(
  table: Table,
  rules: readonly Rule[],
  raw: RawTable,
  count: number,
): Promise<{ readonly found: readonly BrokenRule[]; readonly follows: Uint8Array }> {
  const places = table.variables.map(({ name }) => raw.columns.indexOf(name));
  const found = rules.map(({ words }) => ({ rule: words, broken: 0, first: [] as number[] }));
  const follows = new Uint8Array(count).fill(1);
  let first = 0;
  for await (const { rows, columns } of raw.batches(new Set(places))) {
    for (let row = 0; row < rows; row++) {
      const texts = places.map((place) => {
        const cell = columns[place]!.at(row) ?? null;
        return cell === null || (typeof cell === 'number' && Number.isNaN(cell)) ? null : String(cell);
      });
      rules.forEach((rule, at) => {
        if (rule.holds(texts)) return;
        follows[first + row] = 0;
        found[at]!.broken++;
        if (found[at]!.first.length < MOST_NAMED) found[at]!.first.push(first + row + 1);
      });
    }
    first += rows;
  }
  return { found, follows };
}

/** Says which rows of a training file break the rules that its model is to keep. */
export async function sayBrokenRows(
  file: string,
  table: Table,
  rules: readonly Rule[],
  options: TableRowsOptions,
  terminal: Terminal,
): Promise<void> {
  await useSecondFile(file, table, options, terminal, async ({ table: raw }) => {
    const { found } = await findBroken(table, rules, raw, await countRows(raw));
    for (const one of found) if (one.broken > 0) terminal.remark(`warning: ${brokenInWords(one)}`);
  });
}

function brokenInWords({ rule, broken, first }: BrokenRule): string {
  const more = broken > first.length ? ` and ${count(broken - first.length)} more` : '';
  const which = broken === 0 ? '' : `: ${broken === 1 ? 'row' : 'rows'} ${first.map(count).join(', ')}${more}`;
  return `${counted(broken, 'row')} ${broken === 1 ? 'breaks' : 'break'} ${rule}${which}`;
}

/** @param nats of each row, without rules */
export async function scoreByRules(
  model: TabularModel,
  { rules, ruled }: RulesOfModel,
  raw: RawTable,
  nats: Float64Array,
): Promise<RuledScores> {
  const { found, follows } = await findBroken(model.table, rules, raw, nats.length);
  const kept: number[] = [];
  let from = 0;
  for await (const { matrix, known, numberAt } of encodeParts(raw, model.table, {
    missing: 'value',
    mayBeUnknown: true,
  })) {
    const gains = ruled.logGains(matrix);
    for (let row = 0; row < matrix.rows; row++) {
      const isKnown =
        known === null || model.table.variables.every((_, at) => known.get(row, model.offsets[at]!) === 1);
      if (follows[from + row] === 0 || !isKnown) continue;
      const codeOf = (index: number): number => model.codeOf(matrix, row, index);
      const determined = ruled.determinedNats((index) => numberAt(row, index), codeOf);
      kept.push(nats[from + row]! + gains[row]! - determined);
    }
    from += matrix.rows;
  }
  const logLikelihood = kept.length === 0 ? null : moments(Float64Array.from(kept)).mean;
  return { rules: found, followed: { rows: kept.length, logLikelihood } };
}

export function showRuledScores({ rules, followed }: RuledScores, terminal: Terminal): void {
  for (const rule of rules) terminal.result(brokenInWords(rule));
  if (followed.logLikelihood !== null)
    terminal.result(
      `under the rules ${figure(followed.logLikelihood)} nats per row, of ${counted(followed.rows, 'row')} that follow them`,
    );
}
