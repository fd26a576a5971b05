import { didYouMean } from '@orchard/dataset';
import { offeredCommands, type OfferedCommand } from '../answer/offered-commands.js';
import type { ArgumentGrammar, CommandGrammar, Grammar, OptionGrammar, Value } from '../command-line/grammar.js';
import { writing } from '../options/configured-command.js';
import { UsageError } from '../output/errors.js';
import type { ValueSchema } from '../options/values.js';
import type { AllowedFolders } from './allowed-folders.js';

/** What a caller filled in, by name. */
export type Input = Readonly<Record<string, unknown>>;

/**
 * A command as a tool: its arguments and options are the fields of the input, by the names that the command line has.
 */
export interface CommandTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly changes: boolean;
  readonly inputSchema: ValueSchema;
  /**
   * The command line of an input, without options that change what is printed.
   *
   * @throws UsageError for what the command has no place for
   */
  wordsOf(input: Input, folders: AllowedFolders): Promise<string[]>;
}

/**
 * Options that say how a command is run, which is the server's to decide; a query reads whatever its user may, in no
 * folder that was allowed.
 */
const decided = ['query', 'json', 'quiet', 'config', 'no-config', 'help', 'help-all', 'server', 'markdown'];
/** Rows that a command may print instead of writing them to a file: an answer would be cut anyway. */
const MOST_PRINTED = 1000;

/**
 * The commands that are offered, as the command line defines them.
 *
 * @param withCluster whether a coordinator is known
 */
export function commandTools(grammar: Grammar, withCluster: boolean): CommandTool[] {
  return grammar.commands.flatMap((command) => {
    const offered = Object.hasOwn(offeredCommands, command.name) ? offeredCommands[command.name]! : null;
    if (offered === null || (offered.onCluster && !withCluster)) return [];
    const { title, changes } = offered;
    const rest = command.options.some((option) => isOffered(option.long) && !isListed(option, command));
    const more = rest ? ` The tool \`help\` lists more options of this command.` : '';
    return [
      {
        name: command.name,
        title,
        changes,
        description: `${command.description}${more}`,
        inputSchema: inputSchemaOf(command, offered),
        wordsOf: (input, folders) => wordsOf(command, input, folders),
      },
    ];
  });
}

const fieldOf = (long: string): string => long.replace(/^--/, '');
const isOffered = (long: string): boolean => !decided.includes(fieldOf(long));
/** A command that trains nothing takes all cores: an assistant seldom has a reason to change that. */
const isListed = ({ long, isRare }: OptionGrammar, { options }: CommandGrammar): boolean =>
  !isRare && (long !== '--threads' || options.some((other) => other.long === '--model'));

function inputSchemaOf(command: CommandGrammar, { mustSay = [] }: OfferedCommand): ValueSchema {
  const { options, arguments: all } = command;
  const shown = options.filter((option) => isOffered(option.long) && isListed(option, command));
  const required = [
    ...all.filter(({ isRequired }) => isRequired).map(({ name }) => name.toLowerCase()),
    ...shown.filter(({ long, isRequired }) => isRequired || mustSay.includes(long)).map(({ long }) => fieldOf(long)),
  ];
  return {
    type: 'object',
    properties: Object.fromEntries([
      ...all.map((argument) => [argument.name.toLowerCase(), schemaOf(argument, argument.description)]),
      ...shown.map(({ long, value, description, usual }) => [
        fieldOf(long),
        value === null
          ? { type: 'boolean', description }
          : { ...schemaOf(value, description), ...(usual === undefined ? {} : { default: usual }) },
      ]),
    ]) as ValueSchema,
    ...(required.length === 0 ? {} : { required }),
  };
}

function schemaOf({ schema, several }: Value, description: string): ValueSchema {
  const one = schema();
  if (several === null || one['type'] === 'array') return { ...one, description };
  return { type: 'array', items: one, description };
}

async function wordsOf(command: CommandGrammar, input: Input, folders: AllowedFolders): Promise<string[]> {
  const { name, options, arguments: all } = command;
  const known = options.filter(({ long }) => isOffered(long));
  const works = all.map((argument) => argument.name.toLowerCase());
  const fields = [...works, ...known.map(({ long }) => fieldOf(long))];
  for (const field of Object.keys(input)) if (!fields.includes(field)) throw unknownField(name, field, fields, works);
  refuseManyPrinted(input, known);
  for (const long of offeredCommands[name]?.mustSay ?? [])
    if ((input[fieldOf(long)] ?? null) === null) throw unfit(undefined, 'a folder for what is written', long);
  const said = options.some(({ long }) => long === '--no-config') ? ['--no-config'] : [];
  for (const { long, value } of known) {
    const filled = input[fieldOf(long)] ?? null;
    if (filled === null || (value === null && filled === false)) continue;
    if (value === null) {
      if (filled !== true) throw unfit(filled, 'true or false', fieldOf(long));
      said.push(long);
    } else said.push(...(await textsOf(value, filled, fieldOf(long), folders)).flatMap((text) => [long, text]));
  }
  const placed: string[] = [];
  for (const argument of all) {
    const field = argument.name.toLowerCase();
    const filled = input[field] ?? null;
    if (filled !== null) placed.push(...(await textsOf(argument, filled, field, folders)));
    else if (argument.isRequired) throw unfit(undefined, argument.description, field);
  }
  return [name, ...said, '--', ...placed];
}

/** A value as the command line has it: one text, or one for each time that it is given. */
async function textsOf(
  value: Value | ArgumentGrammar,
  filled: unknown,
  field: string,
  folders: AllowedFolders,
): Promise<string[]> {
  const items = Array.isArray(filled) ? (filled as unknown[]) : [filled];
  if (items.length !== 1 && value.several === null) throw unfit(filled, 'one value', field);
  const texts: string[] = [];
  for (const item of items) {
    if (typeof item !== 'string' && typeof item !== 'number')
      throw unfit(item, value.several === null ? 'a text or a number' : 'texts or numbers', field);
    const text = String(item);
    if (value.several === 'commas' && Array.isArray(filled) && text.includes(','))
      throw unfit(item, 'an item of its own for each, none with a comma', field);
    texts.push(value.paths === null || value.words.includes(text) ? text : await pathOf(text, field, folders));
  }
  return value.several === 'commas' ? [texts.join(',')] : texts;
}

function pathOf(path: string, field: string, folders: AllowedFolders): Promise<string> {
  return writing.includes(field) ? folders.toWrite(path, field) : folders.toRead(path, field);
}

function refuseManyPrinted(input: Input, options: readonly OptionGrammar[]): void {
  const { count, out } = input;
  const writes = options.some(({ long }) => long === '--out');
  if (!writes || typeof count !== 'number' || count <= MOST_PRINTED || (out ?? null) !== null) return;
  throw new UsageError({
    got: String(count),
    expected: `at most ${String(MOST_PRINTED)} without a file`,
    where: 'count',
    remedy: 'Name a file in out.',
  });
}

/** @param works the fields that say what the command works on */
function unknownField(command: string, field: string, fields: readonly string[], works: readonly string[]): UsageError {
  const worksOn = works.length === 0 ? '' : `It works on ${works.join(', ')}. `;
  return new UsageError({
    got: JSON.stringify(field.slice(0, 60)),
    expected: `a field of ${command}`,
    where: command,
    remedy:
      didYouMean(field.replaceAll('_', '-'), fields) ?? `${worksOn}The tool \`help\` lists all options of a command.`,
  });
}

function unfit(got: unknown, expected: string, where: string): UsageError {
  const shown = got === undefined ? 'nothing' : JSON.stringify(got).slice(0, 80);
  return new UsageError({ got: shown, expected, where, remedy: 'Correct this field.' });
}
