import { lossInHindsight, OnlineForest, streamOfTable, type OnlineStream } from '@orchard/registry';
import { interrupted, UsageError } from '../../output/errors.js';
import { listenForInterruption } from '../../output/interruption.js';
import { linesOfStream } from './lines-of-stream.js';
import { refuseLike } from './rows-of-table.js';
import { StreamCurve } from './stream-curve.js';
import { StreamFolder } from './stream-folder.js';
import { StreamLearner } from './stream-learner.js';
import { tableLike } from './table-like.js';
import { declareCommand } from '../../options/add-command.js';
import { outOption } from '../../options/repeated-options.js';
import { number, oneOf, wholeNumber } from '../../options/values.js';
import { counted, withDecimals } from '../../output/figures.js';
import { listenForReaderGone } from '../../output/reader-gone.js';
import type { Terminal } from '../../output/terminal.js';
import { option, type Parsed, needed } from '../../options/option.js';

const usual = { seed: 0, perturbation: 0.3 };
/** What a kill can lose, in milliseconds of learning. */
const KEPT_EVERY = 10_000;
/** Every row looks at every pair of columns. */
const MOST_COLUMNS = 4096;

const onlineOptions = () => [
  needed(outOption('-o, --out <dir>', 'folder of the state and the model (required); the same command continues it')),
  option('--every <n>', 'print figures every n rows', wholeNumber(1, Number.MAX_SAFE_INTEGER), 1000),
  option(
    '--seed <seed>',
    'seed of the perturbations and the rounding (default: 0)',
    wholeNumber(0, Number.MAX_SAFE_INTEGER),
  ),
  option(
    '--perturbation <c>',
    `random loss of an edge: up to c √t nats after t rows; 0 always takes the best edges (default: ${String(usual.perturbation)})`,
    number('a number from 0 to 1000', (value) => value >= 0 && value <= 1000),
  ),
  option(
    '--structure <kind>',
    'experimental: trees, which leave no column on its own (OFDE_T), or forests (default: forests)',
    oneOf(['forests', 'trees']),
  ),
  option(
    '--like <file>',
    'experimental: a table whose columns and values the stream has, for categories (default: rows of 0 and 1)',
  ),
  option('--regret', 'also print how many nats the rows cost beyond the best tree in hindsight, of the rows so far'),
  option('--report', 'also write report.html: the log-loss beside the best tree and forest in hindsight, every n rows'),
];

type OnlineWords = Parsed<typeof onlineOptions>;

export const addOnlineCommand = declareCommand(
  {
    name: 'online',
    description:
      'Learn rows of 0 and 1, or of categories, from standard input one by one, and print the running log-loss: the cost of each row before it is learned.',
    options: onlineOptions,
    examples: [
      ['tail -f answers.csv | orchard online --out stream', 'with or without a line of names'],
      ['orchard evaluate stream new.csv', 'use the model so far'],
      ['orchard online --out stream < more.csv', 'continue'],
      ['orchard online --like old.csv --out stream < new.csv', 'rows of categories, with the values of old.csv'],
    ],
    notes: [
      'The model is a mixture of about ln n forests of the n columns (Online Forest Density Estimation).',
      'Ctrl-C or the end of the input stores the state in DIR; DIR/network.msgpack is a model like any other.',
    ],
  },
  online,
);

async function online(options: OnlineWords, terminal: Terminal): Promise<void> {
  const { out, every } = options;
  const { folder, stream: kept } = await StreamFolder.open(out);
  if (kept !== null) requireSame(kept, options, out);
  const like = kept === null && options.like !== undefined ? await beginLike(options.like, options, terminal) : null;
  const learner = new StreamLearner(kept ?? like, (columns, names) => begin(columns, names, options));
  const before = folder.keptRows;
  if (before > 0) terminal.note(`orchard: going on after ${counted(before, 'row')} in ${folder.statePath}`);
  const curve = options.report === true ? await StreamCurve.open(out, before) : null;
  let isUnkept = false;
  const keep = async (): Promise<void> => {
    if (learner.stream === null) return;
    try {
      await folder.keep(learner.stream);
    } catch (error) {
      const { keptRows } = folder;
      const kept = keptRows === 0 ? 'no row is kept' : `the first ${counted(keptRows, 'row')} are kept`;
      isUnkept = true;
      terminal.complain(`orchard: ${kept}: give the same command those after them again when it can be written`);
      throw error;
    }
  };

  const interruption = listenForInterruption(() => process.stdin.destroy());
  // the reader of the figures has gone, as `| head` does
  const readers = new AbortController();
  const stopListening = listenForReaderGone(() => {
    readers.abort();
    process.stdin.destroy();
  });
  const isStopped = (): boolean => interruption.signal.aborted || readers.signal.aborted;
  try {
    for await (const text of linesOfStream(process.stdin as AsyncIterable<Buffer>)) {
      if (isStopped()) break;
      const stream = learner.learn(text);
      if (stream === null) continue;
      if (stream.forest.state.rows % every === 0) {
        showFigures(learner, stream, before, options, terminal);
        curve?.add(stream);
      }
      if (performance.now() - folder.keptAt > KEPT_EVERY) await keep();
    }
  } catch (error) {
    // standard input that was destroyed ends before its end
    if (!isStopped() || isUnkept) throw error;
  } finally {
    try {
      if (!isUnkept) await keep();
      if (!isUnkept && learner.stream !== null) await writeCurve(curve, learner.stream);
    } finally {
      interruption.dispose();
      stopListening();
    }
  }
  const { stream } = learner;
  if (stream === null || stream.forest.state.rows === 0)
    throw new UsageError({
      got: learner.names === null ? 'no row' : 'a line that is not of 0s and 1s, taken as names, and no row',
      expected: learner.isOfTable ? 'rows with the columns of --like, one a line' : 'rows of 0s and 1s, one a line',
      where: 'standard input',
      remedy: 'Pipe rows into it: orchard online --out stream < rows.csv.',
    });
  const rows = counted(stream.forest.state.rows, 'row');
  const learned = `${rows} are learned and kept: the same command continues with the rows after them.`;
  if (interruption.signal.aborted) throw interrupted(learned);
  if (readers.signal.aborted) terminal.note(`orchard: the reader of the figures is gone; ${learned}`);
  else showLearned({ stream, folder, curve, before }, options, terminal);
}

/** The running log-loss, and that of the rows since it was shown. */
function showFigures(
  learner: StreamLearner,
  stream: OnlineStream,
  before: number,
  options: OnlineWords,
  terminal: Terminal,
): void {
  const { rows, loss } = stream.forest.state;
  const last = Math.min(options.every, rows - before);
  const recent = learner.takeRecent() / last;
  terminal.result(
    `${counted(rows, 'row')}: ${(loss / rows).toFixed(4)} nats per row; of the last ${String(last)} ${recent.toFixed(4)}${regretText(stream, options)}`,
  );
}

/** What the stream has learned, and where it is. */
function showLearned(
  {
    stream,
    folder,
    curve,
    before,
  }: {
    readonly stream: OnlineStream;
    readonly folder: StreamFolder;
    readonly curve: StreamCurve | null;
    readonly before: number;
  },
  options: OnlineWords,
  terminal: Terminal,
): void {
  const { rows, loss } = stream.forest.state;
  terminal.result(
    `${counted(rows, 'row')} in all, ${counted(rows - before, 'of them', 'of them')} now: ${(loss / rows).toFixed(4)} nats per row as they came${regretText(stream, options)}`,
  );
  terminal.note(`orchard: the model is ${folder.modelPath}`);
  if (curve !== null) terminal.note(`orchard: the report is ${curve.reportPath}`);
  terminal.document({
    rows,
    learned: rows - before,
    logLoss: loss / rows,
    ...(options.regret === true && { regret: regretOf(stream) }),
    network: folder.modelPath,
    state: folder.statePath,
    ...(curve !== null && { report: curve.reportPath }),
  });
}

/** The last rows may be fewer than those between two points. */
async function writeCurve(curve: StreamCurve | null, stream: OnlineStream): Promise<void> {
  if (curve === null || stream.forest.state.rows === 0) return;
  curve.add(stream);
  await curve.write();
}

/** Nats that the rows so far cost beyond the tree that fits them best, all of them known. */
function regretOf({ forest }: OnlineStream): number {
  return forest.state.loss - lossInHindsight(forest);
}

function regretText(stream: OnlineStream, { regret }: OnlineWords): string {
  return regret === true ? `; ${withDecimals(regretOf(stream), 1)} nats beyond the best tree in hindsight` : '';
}

function begin(columns: number, names: readonly string[] | null, words: OnlineWords): OnlineStream {
  requireFewColumns(columns, 'standard input');
  const options = optionsOf(words);
  return { names, options, forest: new OnlineForest(columns, options) };
}

/** @throws UsageError for a file without categories, or with too many columns or values */
async function beginLike(file: string, words: OnlineWords, terminal: Terminal): Promise<OnlineStream> {
  const table = await tableLike(file, terminal);
  requireFewColumns(table.variables.length, '--like');
  try {
    return streamOfTable(table, optionsOf(words));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError({
      got: `columns of so many values that pairs of them have ${error.message}`,
      expected: 'fewer columns or values: all pairs are counted',
      where: '--like',
      remedy: 'Leave columns out, or train another model on the rows of a file.',
    });
  }
}

function optionsOf({ seed = usual.seed, perturbation = usual.perturbation, structure }: OnlineWords) {
  return { seed, perturbation, ...(structure === 'trees' && { structure }) };
}

function requireFewColumns(columns: number, where: string): void {
  if (columns <= MOST_COLUMNS) return;
  throw new UsageError({
    got: `${String(columns)} columns`,
    expected: `at most ${String(MOST_COLUMNS)}: every row looks at every pair of them`,
    where,
    remedy: 'Leave columns out, or train another model on the rows of a file.',
  });
}

/** @throws UsageError where words would change a stream that is under way */
function requireSame({ options, table }: OnlineStream, words: OnlineWords, out: string): void {
  // the values of a stream of categories are in its state, whatever the file has become
  if (words.like !== undefined && table === undefined) refuseLike(words.like, out);
  const begun = { structure: 'forests', ...options };
  for (const key of ['seed', 'perturbation', 'structure'] as const) {
    const said = words[key];
    if (said === undefined || said === begun[key]) continue;
    throw new UsageError({
      got: `--${key} ${String(said)}`,
      expected: `${String(begun[key])}, as ${out} was begun`,
      where: `--${key}`,
      remedy: 'Leave it out, or give another folder to begin anew.',
    });
  }
}
