import { Help, type Command, type Option } from 'commander';
import { examplesOf } from '../options/add-command.js';
import { inOrder, optionsByModel } from './grouped-help.js';
import { headings } from '../options/help-places.js';
import { bold, entry, flagsOf, heading, roff, subheading, verbatim } from './roff.js';

/** The manual page of the whole program, in roff: what its help says, and what no help has room for. */
export function manPageOf(program: Command, version: string): string {
  const name = program.name();
  return pageOf([
    titleOf(name, version),
    ...nameSection(name, 'density models of tables'),
    heading('Synopsis'),
    `${bold(name)} \\fICOMMAND\\fR [\\fIOPTIONS\\fR]`,
    heading('Description'),
    roff(program.description()),
    heading('Commands'),
    ...program.commands.map((command) =>
      entry(`${bold(command.name())} ${flagsOf(command.usage())}`, command.description()),
    ),
    ...optionsSection(program),
    ...afterHelp(program),
    heading('Environment'),
    ...environment.map(([variable, said]) => entry(bold(variable), said)),
    heading('Files'),
    ...files.map(([file, said]) => entry(bold(file), said)),
    heading('Exit status'),
    ...exitCodes.map(([code, said]) => entry(bold(code), said)),
    heading('See also'),
    roff(`${name} man COMMAND prints the page of a command.`),
  ]);
}

export function manPageOfCommand(command: Command, version: string): string {
  const program = command.parent!.name();
  const places = command.registeredArguments;
  return pageOf([
    titleOf(`${program}-${command.name()}`, version),
    ...nameSection(`${program}-${command.name()}`, firstSentence(command.description())),
    heading('Synopsis'),
    `${bold(`${program} ${command.name()}`)} ${flagsOf(command.usage())}`,
    heading('Description'),
    roff(command.description()),
    ...(places.length === 0 ? [] : [heading('Arguments')]),
    ...places.map((argument) => entry(`\\fI${roff(argument.name())}\\fR`, argument.description)),
    ...optionsSection(command),
    ...afterHelp(command),
    heading('See also'),
    roff(`${program}(1), which has environment, files and exit status`),
  ]);
}

const pageOf = (parts: readonly string[]): string => `${parts.filter((part) => part !== '').join('\n')}\n`;

const titleOf = (name: string, version: string): string =>
  // without a date: the same version writes the same page
  `.TH ${roff(name.toUpperCase())} 1 "" "orchard ${roff(version)}" "Orchard"`;

const nameSection = (name: string, said: string): string[] => [heading('Name'), `${roff(name)} \\- ${roff(said)}`];

const firstSentence = (text: string): string => text.split(/[.:;] |\.$/)[0]!;

function optionsSection(command: Command): string[] {
  const help = new Help();
  const groups = inOrder([], optionsByModel(command), ({ helpGroupHeading = headings.own }) => helpGroupHeading);
  const entries = (options: readonly Option[]): string[] =>
    options.map((option) => entry(flagsOf(help.optionTerm(option)), help.optionDescription(option)));
  return [
    heading('Options'),
    ...[...groups].flatMap(([title, options]) => [
      ...(title === headings.own ? [] : [subheading(title.slice(0, -1))]),
      ...entries(options),
    ]),
  ];
}

/** Examples, and what else the help says after its options. */
function afterHelp(command: Command): string[] {
  const { lines, notes } = examplesOf(command);
  if (lines.length === 0) return [];
  // a page is narrower than a terminal: what an example does goes below it
  const shown = lines.map(([line, what]) => (what === '' ? `$ ${line}` : `$ ${line}\n      ${what}`)).join('\n');
  return [
    heading('Examples'),
    verbatim(shown),
    ...(notes === '' ? [] : ['.PP', ...notes.split('\n\n').map(paragraph)]),
  ];
}

/** Lines that stand indented, as a list of models does, stay as they are. */
const paragraph = (text: string): string => (/^ {2}/m.test(text) ? verbatim(text) : `${roff(text)}\n.PP`);

const environment: readonly (readonly [string, string])[] = [
  [
    'ORCHARD_SERVER, ORCHARD_TOKEN',
    'address and token of the coordinator that submit, runs and the other commands of a cluster use',
  ],
  ['ORCHARD_STORE', 'store of a cluster, for orchard replay'],
  ['NO_COLOR', 'no colours, unless it is empty'],
  ['FORCE_COLOR', 'colours also if the output is not a terminal; 0 means none. NO_COLOR wins'],
  ['XDG_CONFIG_HOME', 'folder of orchard/login.json, which login writes (default: ~/.config)'],
];

const files: readonly (readonly [string, string])[] = [
  [
    'orchard.toml',
    'Options for commands that run in this folder, without their dashes. At the top: for all commands that have the option; ' +
      'below [train]: for that command, which wins. The command line wins over both. ' +
      'Lists are arrays; options without a value are true or false. --config names another file, --no-config ignores it.',
  ],
];

const exitCodes: readonly (readonly [string, string])[] = [
  ['0', 'done'],
  ['1', 'failed'],
  ['2', 'the command line or its input was refused; nothing was written'],
  ['130', 'interrupted; finished work is kept'],
];
