import { defaultChoice, MAXIMUM_MEMBERS, type Wanted } from '@orchard/contracts';
import { families } from '@orchard/registry';
import { loadSplits, openRun } from '@orchard/pipeline';
import { keptOf, type Configured } from '../options/configured-command.js';
import { dimensionOf } from '../options/name-of-dimension.js';
import { declareCommand } from '../options/add-command.js';
import { reportDimensionOption, threadsOption } from '../options/repeated-options.js';
import { wholeNumber } from '../options/values.js';
import { trainingWords, choiceOptions } from '../options/training-flags.js';
import { trainedDocument } from '../run-folder/trained-document.js';
import { showTrainingDetails } from '../run-folder/training-details.js';
import { showTrainingOutcome } from '../run-folder/training-outcome.js';
import type { Terminal } from '../output/terminal.js';
import { RunDirectory } from '../run-folder/run-directory.js';
import { headings } from '../options/help-places.js';
import { option, type Parsed } from '../options/option.js';

const selectOptions = () => [
  threadsOption('threads for a refit or --retrain'),
  reportDimensionOption(),
  option(
    '--members <M>',
    'members to mix, in a run with members (default: as many as now)',
    wholeNumber(1, MAXIMUM_MEMBERS),
  ),
  option('--title <text>', 'title of the report (default: the same)').helpGroup(headings.output),
  ...choiceOptions(),
];

type SelectOptions = Parsed<typeof selectOptions>;

export const addSelectCommand = declareCommand(
  {
    name: 'select',
    description:
      'Replace the model of a finished run by one with another number of trees. Only --retrain trains again.',
    places: [['<DIR>', 'folder of a finished run; its model, summary and report are replaced']],
    options: selectOptions,
    examples: [
      ['orchard select run --select individual', 'each column by its own validation rows'],
      ['orchard select run --select common --no-refit', 'one number for all columns, leaf values of training'],
      ['orchard select run --members 16', 'add members to a run with members'],
      ['orchard select run', `the default: ${defaultChoice.selection}, refitted`],
    ],
  },
  (path, options, terminal, own) => select(path, options, keptOf(own), terminal),
);

async function select(
  path: string,
  options: SelectOptions,
  chosen: Configured | undefined,
  terminal: Terminal,
): Promise<void> {
  const { directory, runId, members: membersNow } = await RunDirectory.open(path);
  const { store } = directory;
  const run = await openRun(store, runId);
  const { specification } = run;
  const family = families.named(run.family);
  const words = trainingWords(options);
  const splits = await loadSplits(store, run);
  const { dimensions, names } = splits.train;
  const { threads, reportDimension: column } = options;
  const reportDimension =
    column === undefined ? undefined : dimensionOf(column, '--report-dimension', dimensions, names);
  const members = options.members ?? membersNow;
  const asked = {
    selection: words.select ?? defaultChoice.selection,
    refit: words.refit ?? defaultChoice.refit,
    ...(members !== undefined && { members }),
  };
  // of a family whose runs have one model nothing can be chosen
  const known = Object.entries(asked).filter(([word]) => word in family.wanted.shape);
  const choice = family.wanted.parse(Object.fromEntries(known)) as Wanted;
  family.checkWanted?.(specification, choice);
  terminal.note(
    `orchard: the model, summary and report in ${path} are replaced; what was trained stays in its store, from which orchard select makes the earlier ones again`,
  );
  const kept = await directory.labels();
  // the options of an earlier choice do not apply to this one
  const labels = { ...kept, ...(options.title !== undefined && { title: options.title }), chosen };
  const trained = await directory.produce(
    { family, specification, choice, splits, threads, reportDimension, labels },
    terminal,
  );
  showTrainingDetails(trained, terminal);
  showTrainingOutcome(trained, splits, directory.path, terminal);
  terminal.document(trainedDocument(trained));
}
