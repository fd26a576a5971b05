import { count } from '@orchard/refusal';
import { AUTO } from './auto.js';
import { memberDefaults } from './members.js';
import type { TrainingOptions } from './options.js';
import { presets } from './presets.js';
import { presetWords, type RunWords } from './request.js';
import { defaultChoice, selectionMethods } from './selection-method.js';
import { ROWS_OF_MANY, tablePresets } from './table-presets.js';
import { tuningDefaults } from './tuning.js';
import { startSchema } from './variants.js';

/** How a command line says a word of a run, beside what the word's schema describes. */
export interface WordFlag {
  /** What its value is called: `J`. */
  readonly value?: string;
  /** What is meant where it is not said. */
  readonly usual?: string;
  /** What the word does, where the schema only says what is accepted. */
  readonly help?: string;
  /** Whether it chooses a model rather than how one is trained. */
  readonly isOfModel?: true;
  /** Whether short help has it. */
  readonly isCommon?: true;
  /** Whether it is a way of training beside the usual one, which all share one flag. */
  readonly isVariant?: true;
}

const { few, many } = tablePresets.default;
const SMALL = `under ${count(ROWS_OF_MANY)} rows`;

/** `2000; paper: 1000` */
const inPresets = (key: keyof TrainingOptions, usual = said(presets.default[key])): string =>
  `${usual}; paper: ${said(presets.paper[key])}`;

const said = (value: unknown): string => (value === null ? 'off' : String(value));

function helpOfPreset(): string {
  const { members, select, exclusive } = presetWords.accurate;
  const { few: ofFew, many: ofMany } = tablePresets.accurate;
  const accurate = `default with members ${String(members)}, select ${String(select)}, exclusive ${String(exclusive)} and trees chosen from more trials: likelier, slower`;
  const ofTables = `members ${String(ofMany.members)}, ${SMALL} ${String(ofFew.members)}`;
  return `settings that other options change: default, accurate (${accurate}; tables: ${ofTables}), paper (as in the paper), single-tree (one tree per column, the paper's baseline)`;
}

/**
 * Those of the words that several kinds of model share; a word that is not here, of one kind alone, has a flag of its
 * name.
 */
export const wordFlags: Readonly<Partial<Record<keyof RunWords, WordFlag>>> = {
  preset: { value: 'name', usual: 'default', help: helpOfPreset(), isOfModel: true, isCommon: true },
  members: {
    value: 'M',
    usual: `1; tables: ${String(many.members)}, ${SMALL} ${String(few.members)}`,
    help: 'mix this many models, in other orders of the columns and by other validation rows: likelier, M times the work',
    isOfModel: true,
    isCommon: true,
  },
  leaves: {
    value: 'J',
    usual: inPresets('leaves', `${AUTO}, of ${tuningDefaults.brief.leaves.join(', ')}; tables: ${String(many.leaves)}`),
    isCommon: true,
  },
  rounds: { value: 'T', usual: inPresets('rounds'), isCommon: true },
  shrinkage: {
    value: 'nu',
    usual: inPresets(
      'shrinkage',
      `${String(presets.default.shrinkage)}; tables: ${String(many.shrinkage)}, ${SMALL} ${String(presets.default.shrinkage)}`,
    ),
    isCommon: true,
  },
  start: {
    value: 'odds',
    help: `${startSchema.description!}; tables: also 'linear' (columns of numbers start from a ridge regression on earlier columns) or 'auto' (those that it tells something)`,
    usual: inPresets('start', `${presets.default.start}; tables: ${few.start}`),
  },
  minLeafWeight: { value: 'w', usual: inPresets('minLeafWeight') },
  maxLeafValue: { value: 'value', usual: inPresets('maxLeafValue') },
  l2: { value: 'lambda', usual: inPresets('l2') },
  featureFraction: {
    value: 'share',
    usual: inPresets(
      'featureFraction',
      `${AUTO}, of ${[presets.default.featureFraction, ...tuningDefaults.brief.featureFractions].join(', ')}; tables, or with --leaves J: ${String(presets.default.featureFraction)}`,
    ),
  },
  patience: {
    value: 'rounds',
    usual: inPresets(
      'patience',
      `${String(presets.default.patience)}; tables: ${String(many.patience)}, ${SMALL} or by smaller steps ${String(presets.default.patience)}`,
    ),
  },
  seed: {
    value: 'seed',
    usual: '0',
    help: 'seed of all randomness; the same seed gives the same model',
    isCommon: true,
  },
  rowsPerTree: { value: 'N', usual: 'all' },
  orderings: {
    value: 'kinds',
    usual: `${memberDefaults.orderings.join(',')}; over 4096 columns, of tables 128: ${memberDefaults.wideOrderings.join(',')}; tables ${SMALL}: natural,reversed,greedy and five random`,
    isOfModel: true,
  },
  folds: {
    value: 'F',
    usual: `${String(memberDefaults.folds)}, of tables under 1,000 rows 4 to 7; committees: ${String(memberDefaults.committeeFolds)}`,
    isOfModel: true,
  },
  committee: {
    help: 'make each member F networks in one order, each validated by another part',
    isOfModel: true,
  },
  select: {
    value: 'selection',
    usual: `${defaultChoice.selection}; tables: own`,
    help: `how validation rows choose rounds: ${selectionMethods.slice(0, -1).join(', ')} or ${selectionMethods.at(-1)!}`,
  },
  gradients: { value: 'order', usual: 'newton', isVariant: true },
  startPenalty: {
    value: 'lambda',
    usual: 'with --start logistic, one of 64, 32, … 0.5 for each column, by its validation rows',
    isVariant: true,
  },
  dropout: { value: 'rate', usual: '0', isVariant: true },
  exclusive: { value: 'columns', usual: 'none; accurate: found', isVariant: true },
  maxPredictors: { value: 'K', usual: 'all', isVariant: true },
  nearPredictors: { value: 'K', usual: 'none', isVariant: true },
};
