import type { Command } from 'commander';
import { bold, entry, flagsOf, heading, roff, verbatim } from './roff.js';

/** The manual page of the whole program, in roff: what its help says, and what no help has room for. */
export function manPageOf(program: Command, version: string): string {
  const name = program.name();
  return pageOf([
    titleOf(name, version),
    ...nameSection(name, 'density models of boosted trees for tables and rows of bits'),
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

/** The manual page of one command. */
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
  const help = command.createHelp();
  return [
    heading('Options'),
    ...help
      .visibleOptions(command)
      .map((option) => entry(flagsOf(help.optionTerm(option)), help.optionDescription(option))),
  ];
}

/** Examples, and what else the help says after its options. */
function afterHelp(command: Command): string[] {
  const [, lines, rest = ''] = /\nExamples:\n((?: {2}.*\n)*)\n*([^]*)$/.exec(helpOf(command)) ?? [];
  if (lines === undefined) return [];
  // a page is narrower than a terminal: what an example does goes below it
  const shown = lines
    .trimEnd()
    .replace(/^ {2}(\$ .*?)(?: {2,}(.*))?$/gm, (_, line: string, what?: string) =>
      what === undefined ? line : `${line}\n      ${what}`,
    );
  const notes = rest.trim() === '' ? [] : ['.PP', roff(rest.trim())];
  return [heading('Examples'), verbatim(shown), ...notes];
}

function helpOf(command: Command): string {
  const usual = command.configureOutput();
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text), getOutHasColors: () => false });
  command.outputHelp();
  command.configureOutput(usual);
  return help;
}

const environment: readonly (readonly [string, string])[] = [
  ['ORCHARD_SERVER, ORCHARD_TOKEN', 'the coordinator that submit, runs and the like ask, and the token to show it'],
  ['ORCHARD_STORE', 'the store of a cluster, for replay of its runs'],
  ['NO_COLOR', 'no colours, if it is anything but empty'],
  ['FORCE_COLOR', 'colours also where the output is no terminal; 0 means none. NO_COLOR goes before it'],
  ['XDG_CONFIG_HOME', 'where login keeps what it remembers, in orchard/login.json (default: ~/.config)'],
];

const files: readonly (readonly [string, string])[] = [
  [
    'orchard.toml',
    'Options for the commands of this folder, in their own words without dashes. At the top, for all commands that have such an option; ' +
      'below [train] and the like, for that command, before what stands at the top. The command line goes before both. ' +
      'Lists are arrays; options without a value are true or false. --config names another file, --no-config reads none.',
  ],
];

const exitCodes: readonly (readonly [string, string])[] = [
  ['0', 'done'],
  ['1', 'failed'],
  ['2', 'the command line or its input was refused, and nothing was written'],
  ['130', 'interrupted; what was done is kept'],
];
