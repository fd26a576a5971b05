import { keepQuery } from '@orchard/dataset';
import { Argument } from 'commander';
import {
  declareCommand,
  type AddCommand,
  type Declared,
  type MakesOptions,
  type Place,
  type Run,
} from './add-command.js';
import { headings } from './help-places.js';
import { UsageError } from '../output/errors.js';
import type { Terminal } from '../output/terminal.js';
import { rare, type Parsed } from './option.js';

const FLAG = '--query';
const arguments_ = new WeakSet<Argument>();

/** An argument that names a file of rows; {@link queryOption} may stand in its place. */
export function rowsArgument(name: string, description: string): Argument {
  const argument = new Argument(`[${name}]`, description);
  arguments_.add(argument);
  return argument;
}

/** @param name of the argument */
export const queryOption = (name: string) =>
  rare(
    `${FLAG} <sql>`,
    `instead of ${name}: a query that DuckDB answers, over files, Postgres, SQLite and more (npm package @duckdb/node-api)`,
  ).helpGroup(headings.data);

type QueryOptions = Parsed<typeof queryOption>;

/** Whether an argument may be left out for a query alone. */
export function isRowsArgument(argument: Argument): boolean {
  return arguments_.has(argument);
}

/** A command on rows: of a file, which is its last argument, or of a query, whose answer `run` finds in a file too. */
export function declareRowsCommand<const Places extends readonly Place[] = [], Make extends MakesOptions = () => []>(
  { rows: [name, description], places, options, ...declared }: Declared<Places, Make> & RowsPlace,
  run: Run<[...Places, readonly ['<ROWS>', string]], Parsed<Make>>,
): AddCommand {
  const all = {
    ...declared,
    places: [...(places ?? []), rowsArgument(name, description)],
    options: () => [queryOption(name), ...(options?.() ?? [])],
  };
  return declareCommand(all, (...found: unknown[]) => {
    const [file, said, terminal] = found.slice(-4) as [string | undefined, QueryOptions, Terminal];
    return useRows(file, said, name, terminal, async (rows) =>
      run(...(found.with(-4, rows) as Parameters<typeof run>)),
    );
  });
}

interface RowsPlace {
  readonly rows: readonly [name: string, description: string];
}

/**
 * Uses the rows of a file, or those that a query answers, which are kept in a file for as long.
 *
 * @param name of the argument, as help calls it
 * @throws UsageError where both are given, or neither
 */
export async function useRows<Result>(
  file: string | undefined,
  { query }: QueryOptions,
  name: string,
  terminal: Terminal,
  use: (file: string) => Promise<Result>,
): Promise<Result> {
  if (query === undefined && file !== undefined) return use(file);
  if (query === undefined || file !== undefined)
    throw new UsageError({
      got: query === undefined ? `no ${name}` : `${name} and ${FLAG}`,
      expected: `${name}, or ${FLAG} instead`,
      where: name,
      remedy: query === undefined ? `Name a file of rows, or give ${FLAG} "SELECT …".` : 'Leave one of the two out.',
    });
  terminal.status('query: DuckDB answers');
  const kept = await keepQuery(query);
  try {
    for (const note of kept.notes) terminal.note(`orchard: query: ${note}`);
    return await use(kept.path);
  } finally {
    await kept.remove();
  }
}
