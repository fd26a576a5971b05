import { judgeClasses, type Classified, type ClassFigures } from '@orchard/analysis';
import { rarely } from '../../options/help-places.js';
import { labelsOf } from './class-labels.js';
import { openClasses, type ClassModels } from './class-models.js';
import { classifyRows } from './classify-rows.js';
import { trainClassModels } from './train-classes.js';
import { refuseStandardInput, UsageError } from '../../output/errors.js';
import { datasetOptions } from '../../options/dataset-options.js';
import { modelOption, seedOption, threadsOption, outOption, perRowOption } from '../../options/repeated-options.js';
import { tableOptions } from '../../options/table-options.js';
import { trainingOptions } from '../../options/training-flags.js';
import { counted, nats, percent, table } from '../../output/figures.js';
import { harmlessLine } from '../../output/harmless.js';
import type { Terminal } from '../../output/terminal.js';
import { columnsOf, encodeTable, listingEnding } from '../../output/table-file.js';
import { writeOutput } from '../../output/write-output.js';
import { declareRowsCommand } from '../../options/query-option.js';
import { useTable } from '../../rows/load-table-rows.js';
import { option, type Parsed } from '../../options/option.js';

/** Classes whose confusion is printed; a document has them all. */
const CLASSES_SHOWN = 20;

const classifyOptions = () => [
  option('--by <column>', 'train: the column that the classes are in'),
  option('--with <dir>', 'classify by the models that --out kept in this folder'),
  option('--test <file>', 'with --by: rows to classify; those whose class is known say how often it is right'),
  perRowOption(
    "write each row's class and the probability of every class: .parquet, .arrow or .feather, otherwise CSV",
  ),
  outOption('-o, --out <dir>', 'with --by: keep the models in this folder (default: they are not kept)'),
  option('--force', 'replace another run in that folder'),
  modelOption('tables'),
  seedOption('of the validation rows and of all training'),
  threadsOption(),
  ...datasetOptions(),
  ...tableOptions(),
  ...trainingOptions()
    .filter((one) => one.attributeName() !== 'seed')
    .map(rarely),
];

type ClassifyOptions = Parsed<typeof classifyOptions>;

export const addClassifyCommand = declareRowsCommand(
  {
    name: 'classify',
    description: 'Train a model of each class of a column, and tell the class of other rows by them.',
    rows: ['DATA', 'with --by, the training rows: a table with a column of classes; with --with, rows to classify'],
    options: classifyOptions,
    examples: [
      ['orchard classify train.csv --by label --test test.csv --out classes', 'error rate and confusion of test rows'],
      ['orchard classify rows.csv --with classes --per-row classified.csv', 'later, on other rows'],
      ['orchard classify train.csv --by label --test test.csv --model chow-liu', 'in seconds'],
      ['orchard classify digits.csv --by label --test more.csv --model mixture --threshold 127', 'images as 0/1 data'],
    ],
    notes: [
      "P(class | row) by Bayes' rule: the class's share of the training rows times the row's likelihood under its model.",
      'Every class needs ten rows. Rows without a class, or of one that was not trained, are only predicted.',
      'A model of 0/1 data learns all columns but the classes as 0 and 1; --threshold makes numbers so, --exclude leaves columns out.',
    ],
  },
  classify,
);

async function classify(file: string, options: ClassifyOptions, terminal: Terminal): Promise<void> {
  const { by, test, out, with: folder } = options;
  if ((by === undefined) === (folder === undefined)) refuseWays(by !== undefined);
  if (by === undefined) {
    if (test !== undefined || out !== undefined) refuseOfTraining(test === undefined ? '--out' : '--test');
    await tell(await openClasses(folder!), file, options, terminal);
    return;
  }
  if (file === '-') refuseStandardInput('DATA');
  if (test === undefined && out === undefined)
    throw new UsageError({
      got: 'neither --test nor --out',
      expected: 'rows to classify, or a folder for the models',
      where: '--test',
      remedy: 'Add one of them.',
    });
  const models = await trainClassModels(file, { ...options, by }, terminal);
  if (test === undefined) terminal.document({ by, classes: classesOf(models) });
  else await tell(models, test, options, terminal);
}

/** Classifies the rows of a file, and says how well where classes are known. */
async function tell(models: ClassModels, file: string, options: ClassifyOptions, terminal: Terminal): Promise<void> {
  await useTable(
    file,
    options,
    async (raw) => {
      const labels = await labelsOf(raw, models.by);
      const classified = await classifyRows(models, raw, options, terminal);
      const names = models.classes.map(({ label }) => label);
      const figures = labels === null ? null : judgeClasses(labels, names, classified);
      if (options.perRow !== undefined) await writePerRow(options.perRow, names, classified, terminal);
      const rows = classified.predicted.length;
      terminal.result(textOf(names, classified, figures));
      terminal.document({
        by: models.by,
        classes: classesOf(models),
        rows,
        figures,
        predicted: names.map((label, index) => ({ label, rows: countOf(classified, index) })),
      });
    },
    terminal,
  );
}

function classesOf({ classes }: ClassModels): readonly { readonly label: string; readonly rows: number }[] {
  return classes.map(({ label, rows }) => ({ label, rows }));
}

function countOf({ predicted }: Classified, index: number): number {
  return predicted.filter((one) => one === index).length;
}

function textOf(names: readonly string[], classified: Classified, figures: ClassFigures | null): string {
  const shown = names.slice(0, CLASSES_SHOWN).map(harmlessLine);
  const head = `${counted(classified.predicted.length, 'row')} classified`;
  if (figures === null)
    return `${head}\n\n${table(
      ['class', 'rows'],
      shown.map((name, index) => [name, String(countOf(classified, index))]),
    )}`;
  const { rows, errorRate, logLikelihood, confusion, unknown } = figures;
  const left = unknown === 0 ? '' : `; the class of ${counted(unknown, 'row')} is not known`;
  const lines = confusion
    .slice(0, CLASSES_SHOWN)
    .map((row, own) => [shown[own]!, ...row.slice(0, CLASSES_SHOWN).map(String)]);
  return [
    `${head}${left}`,
    `error rate      ${percent(errorRate)} of ${counted(rows, 'row')}`,
    `log-likelihood  ${nats(logLikelihood)} nats of the class per row`,
    '',
    table(['class', ...shown.map((name) => `as ${name}`)], lines),
  ].join('\n');
}

/** Writes `row,class,P(label),…`. */
async function writePerRow(
  file: string,
  names: readonly string[],
  { predicted, probabilities }: Classified,
  terminal: Terminal,
): Promise<void> {
  const columns = [
    ...columnsOf([...predicted.keys()], { row: (row) => row + 1, class: (row) => names[predicted[row]!]! }),
    ...names.map((name, index) => ({ name: `P(${name})`, texts: probabilities.map((own) => String(own[index]!)) })),
  ];
  await writeOutput(file, '--per-row', await encodeTable(listingEnding(file), columns));
  terminal.note(`orchard: the class of each row in ${file}`);
}

function refuseWays(both: boolean): never {
  throw new UsageError({
    got: both ? '--by and --with' : 'neither --by nor --with',
    expected: '--by COLUMN, which trains, or --with FOLDER, which uses what was trained',
    where: '--by',
    remedy: both ? 'Leave one of them out.' : 'Name the column that the classes are in.',
  });
}

function refuseOfTraining(where: string): never {
  throw new UsageError({
    got: `${where} and --with`,
    expected: 'the rows to classify as the argument',
    where,
    remedy: 'Leave it out; --per-row writes the class of each row.',
  });
}
