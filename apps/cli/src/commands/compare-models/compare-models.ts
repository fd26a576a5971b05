import { rankModels } from '@orchard/analysis';
import { rowLogDensities, weighedInWords, type BitMatrix, type WeighedRows } from '@orchard/dataset';
import { families } from '@orchard/registry';
import { factsOfRows } from '@orchard/pipeline';
import { shellWord } from '@orchard/refusal';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { notTried, resolveAll, rowsForAll, usualContenders, withAccurate } from './choose-contenders.js';
import { documentOf, failureOf, type Entry } from './comparison-document.js';
import { contenderOf, furtherPresets, refuseTwice } from './contenders.js';
import { comparisonMarkdown, comparisonText } from './show-comparison.js';
import { trainAll } from './train-all.js';
import { keptOf, type Configured } from '../../options/configured-command.js';
import { messageOf, UsageError } from '../../output/errors.js';
import { describeSources, shortName, type SplitSources } from '../../rows/split-sources.js';
import { datasetOptions } from '../../options/dataset-options.js';
import { declareCommand } from '../../options/add-command.js';
import { seedOption, threadsOption, outOption } from '../../options/repeated-options.js';
import { splitSources, type SplitOptions, splitOptions } from '../../rows/split-options.js';
import { tableOptions } from '../../options/table-options.js';
import { knowing, list } from '../../options/values.js';
import type { Terminal } from '../../output/terminal.js';
import { refuseNoFolder } from '../../output/write-output.js';
import { headings, rarely } from '../../options/help-places.js';
import { loadTrainingRows } from '../../rows/load-training-rows.js';
import { weightsOption } from '../../options/row-weights.js';
import { ownCommand } from '../../output/version.js';
import { option, type Parsed } from '../../options/option.js';

/** Share of the rows that test unless it is given. */
const TESTED = 0.2;

const namesOfModels = () =>
  families.all.flatMap((family) => [
    family.name,
    ...furtherPresets(family).map((preset) => `${family.name}:${preset}`),
  ]);

const compareModelsOptions = () => [
  option(
    '--models <list>',
    'models to train, with options of orchard train after colons: lbarn,lbarn:leaves=8,cutset:components=40:weights=em (default: all that learn such rows)',
    () => knowing(namesOfModels(), list),
  ),
  option('--accurate', 'train models with their preset accurate too: likelier, many times the work'),
  outOption(
    '-o, --out <dir>',
    'keep each model in a folder below this one; the same command continues (default: keep none)',
  ),
  option('--force', "replace other runs' models in those folders").helpGroup(headings.output),
  rarely(weightsOption()),
  seedOption('seed of the split, of --binarize and of training'),
  threadsOption('threads of each model'),
  option('--markdown', 'print a Markdown table').helpGroup(headings.output),
  ...splitOptions(String(TESTED)),
  ...tableOptions(),
  ...datasetOptions(),
];

type CompareModelsOptions = Parsed<typeof compareModelsOptions>;

export const addCompareModelsCommand = declareCommand(
  {
    name: 'compare-models',
    description:
      'Train every kind of model on the same rows and compare their likelihood of test rows, time, size and exact answers.',
    places: [['<DATA>', 'a table, or rows of 0 and 1, as for orchard train; - reads standard input']],
    options: compareModelsOptions,
    examples: [
      ['orchard compare-models table.csv', 'a fifth of the rows are test rows'],
      ['orchard compare-models table.csv --out models', 'keep them; orchard serve models shows them'],
      ['orchard compare-models train.data.gz --valid valid.data.gz --test test.data.gz --accurate', ''],
      ['orchard compare-models rows.csv --models chow-liu,mixture,lbarn:leaves=4:rounds=500', ''],
      ['orchard compare-models table.csv --models tables,tables:leaves=4,tables:paper', 'one kind, three settings'],
    ],
    notes: [
      'Models are trained one after another, on the same threads. Validation rows choose settings; test rows choose nothing.',
      'With --out, Ctrl-C keeps what is done and the same command continues.',
      'Exit code 1: a model could not be trained; the table shows the others.',
    ],
  },
  (file, options, terminal, own) => compareModels(file, options, keptOf(own), terminal),
);

async function compareModels(
  file: string,
  options: CompareModelsOptions,
  configured: Configured | undefined,
  terminal: Terminal,
): Promise<void> {
  const { out, force, seed } = options;
  if (out !== undefined) refuseNoFolder(out);
  const named = options.models?.map(contenderOf);
  if (named?.length === 0)
    throw new UsageError({
      got: 'no model',
      expected: 'one at least',
      where: '--models',
      remedy: 'Leave it out for all.',
    });
  const sources = sourcesOf(file, options);
  const { weighed, ...splits } = await loadTrainingRows(sources, options, rowsForAll(named), terminal);
  const { train, valid, test } = splits;
  const datasets = factsOfRows(splits);
  const contenders = withAccurate(named ?? usualContenders(datasets), options.accurate === true);
  refuseTwice(contenders);
  const { runs, refused } = await resolveAll(contenders, splits, datasets, {
    seed,
    areWeighed: weighed !== null,
  });
  for (const { name, error } of refused) terminal.note(`orchard: ${name} is left out: ${messageOf(error)}`);
  const temporary = out === undefined ? await temporaryFolder() : null;
  const threads = options.threads ?? availableParallelism();
  try {
    const { entries, failed } = await trainAll(
      {
        runs,
        splits,
        datasets,
        threads,
        folder: out ?? temporary!.path,
        isKept: out !== undefined,
        mayReplace: force === true,
        labels: {
          title: shortName(file),
          sources: describeSources(sources, seed),
          configured,
        },
      },
      terminal,
    );
    const missing = [...refused, ...failed];
    const rows = { train: train.rows, valid: valid.rows, test: test!.rows };
    const isOnGrid = weighed !== null && weighed.step !== 1;
    const judged = rankModels(entries, isOnGrid ? 'weight' : 'rows');
    const columns = test!.columns.table === undefined ? train.dimensions : null;
    const document = documentOf(judged, { rows, threads, missing, columns });
    if (judged.length > 0) {
      const remarks = [
        ...missing.map(({ name, error }) => `Not in the table: ${name}: ${messageOf(error)}`),
        ...remarksOnRows(test!),
        ...(weighed === null ? [] : [remarkOnWeights(weighed)]),
        ...notTried(contenders, datasets),
      ];
      const comparison = { judged, rows, threads, remarks };
      const steps = nextSteps(judged[0]!.candidate, { file, out });
      if (options.markdown === true) {
        terminal.result(comparisonMarkdown(comparison));
        steps.forEach((line) => terminal.note(line));
      } else {
        terminal.result(`${comparisonText(comparison)}\n\n${steps.join('\n')}`);
      }
    }
    if (missing.length > 0) throw failureOf(missing, contenders, document);
    terminal.document(document);
  } finally {
    temporary?.remove();
  }
}

/** What to do next with the best model. */
function nextSteps(
  { contender, path }: Entry,
  { file, out }: { readonly file: string; readonly out: string | undefined },
): string[] {
  if (path !== null) {
    return [`Kept in ${out!}; the best is ${contender.name}:`, `  ${ownCommand} inspect ${shellWord(path)}`];
  }
  const data = file === '-' ? 'DATA' : shellWord(file);
  return [
    `Nothing was kept (--out DIR keeps all). The best is ${contender.name}; to have it of all rows, with the same options of the file:`,
    `  ${ownCommand} train ${data} ${contender.flags.map(shellWord).join(' ')} --out run`,
  ];
}

/** Test rows of a file, or a share of the rows. */
function sourcesOf(file: string, options: SplitOptions): SplitSources {
  const sources = splitSources(file, options);
  return sources.test === undefined && sources.testFraction === undefined
    ? { ...sources, testFraction: TESTED }
    : sources;
}

/** What has to be known of the figures of a table. */
function remarksOnRows(test: BitMatrix): readonly string[] {
  const hasDensities = test.columns.table?.variables.some(
    (variable) => variable.kind === 'ordered' && variable.measure === 'density',
  );
  if (hasDensities !== true) return [];
  const inTails = rowLogDensities(test).hasMeans
    ? ' ± of test nats takes values in an outermost bin at the mean of all such; differences and their ± are exact.'
    : '';
  return [`Numbers in bins have densities, in the units of their columns: likelihoods may be above 0.${inTails}`];
}

function remarkOnWeights(weighed: WeighedRows): string {
  const errors = weighed.step === 1 ? 'they count as so many rows in ±' : '± is that of the rows that there are';
  return `${weighedInWords(weighed)}; ${errors}.`;
}

interface TemporaryFolder {
  readonly path: string;
  readonly remove: () => void;
}

/** For models that are not to be kept; also removed where a second Ctrl-C ends the process. */
async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), 'orchard-compare-models-'));
  const clear = (): void => rmSync(path, { recursive: true, force: true });
  process.once('exit', clear);
  const remove = (): void => {
    process.off('exit', clear);
    clear();
  };
  return { path, remove };
}
