import { compareModels, type ComparedModels } from '@orchard/analysis';
import { listNames, type BitMatrix } from '@orchard/dataset';
import { askedAsTable, asTabular, type TabularModel } from '@orchard/model';
import { rarely } from '../options/help-places.js';
import { refuseStandardInput } from '../output/errors.js';
import { loadNetwork, networkArgument, type LoadedNetwork } from '../rows/load-network.js';
import { datasetOptions } from '../options/dataset-options.js';
import { secondFileOptions } from '../options/table-options.js';
import { seedOption } from '../options/repeated-options.js';
import { counted, nats, table } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';
import { declareRowsCommand } from '../options/query-option.js';
import { TrainingRowsFinder } from '../run-folder/training-rows.js';
import { weighedBy, weightsOption } from '../options/row-weights.js';
import { loadWeighedRows } from '../rows/load-table-rows.js';
import type { Parsed } from '../options/option.js';

/** What `compare` says. */
export interface CompareDocument extends ComparedModels {
  /** Null where each row counts once. */
  readonly sumOfWeights: number | null;
}

/** Columns shown on a terminal; `--json` has all. */
const MOST_SHOWN = 30;

const compareOptions = () => [
  rarely(weightsOption()),
  seedOption('seed of --binarize'),
  ...datasetOptions(),
  ...secondFileOptions(),
];

type CompareOptions = Parsed<typeof compareOptions>;

export const addCompareCommand = declareRowsCommand(
  {
    name: 'compare',
    description:
      'Print which of two models finds rows likelier: the difference per row with its standard error, by column.',
    places: [
      ['<A>', networkArgument],
      ['<B>', 'another model of the same columns'],
    ],
    rows: ['DATA', 'rows that neither model was trained on'],
    options: compareOptions,
    examples: [['orchard compare run1 run2 test.csv', '']],
  },
  compare,
);

async function compare(a: string, b: string, data: string, options: CompareOptions, terminal: Terminal): Promise<void> {
  const [first, second] = [await loadNetwork(a, 'A'), await loadNetwork(b, 'B')];
  if (data === '-') refuseStandardInput('DATA');
  const asked = ({ network, path }: LoadedNetwork): TabularModel =>
    options.rowWeights === undefined ? asTabular(network) : askedAsTable(network, path);
  const [one, other] = [asked(first), asked(second)];
  let sumOfWeights: number | null = null;
  const found = await compareModels(one, other, async (model) => {
    const loaded = await loadWeighedRows(data, model, options, terminal);
    sumOfWeights = loaded.weights?.sum ?? null;
    await noteTrainingRows(model === one ? first : second, model === one ? 'A' : 'B', loaded.matrix, terminal);
    return loaded;
  });
  const { rows, difference, standardError, columns, otherLabels } = found;
  if (otherLabels.length > 0)
    terminal.note(
      `orchard: A and B tell other values of ${listNames(otherLabels)} apart: where one of them takes values together it is likelier for that alone`,
    );
  const error = standardError === null ? '' : ` ± ${nats(standardError)}`;
  terminal.result(
    `${counted(rows, 'row')}${weighedBy(options.rowWeights, sumOfWeights)}: A ${wordsOf(found.a)}, B ${wordsOf(found.b)} nats per row; A - B ${nats(difference)}${error}${verdictOf(found)}`,
  );
  const shown = [...columns]
    .sort((x, y) => Math.abs(y.difference ?? 0) - Math.abs(x.difference ?? 0))
    .slice(0, MOST_SHOWN);
  terminal.result(
    table(
      ['column', 'A - B, nats', '±'],
      shown.map(({ name, difference: mean, standardError: own }) => [
        name,
        mean === null ? '-' : nats(mean),
        own === null ? '' : nats(own),
      ]),
    ),
  );
  if (shown.length < columns.length)
    terminal.result(`… and ${counted(columns.length - shown.length, 'column')} that differ less`);
  const document: CompareDocument = { ...found, sumOfWeights };
  terminal.document(document);
}

/** Says where a model finds rows likelier because it learned from them. */
async function noteTrainingRows(
  { path }: LoadedNetwork,
  name: 'A' | 'B',
  rows: BitMatrix,
  terminal: Terminal,
): Promise<void> {
  const finder = await TrainingRowsFinder.beside(path);
  await finder?.see(rows);
  if (finder?.hasMetAll === true)
    terminal.note(`orchard: ${name} learned from these rows, so they are too likely by it. Give others.`);
}

function verdictOf({ better, difference }: ComparedModels): string {
  const [ahead, behind] = difference > 0 ? ['A', 'B'] : ['B', 'A'];
  if (better === 'neither') return ': within two standard errors of none';
  if (better === 'unknown') return `: that tells nothing, as ${behind} may be likelier than its lower bound`;
  return `: ${ahead} is better`;
}

function wordsOf({ logLikelihood, isLowerBound }: ComparedModels['a']): string {
  return `${isLowerBound ? 'at least ' : ''}${nats(logLikelihood)}`;
}
