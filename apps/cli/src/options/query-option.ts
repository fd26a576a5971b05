import { keepQuery } from '@orchard/dataset';
import { Argument, Option, type Command } from 'commander';
import { headings, rarely } from './help-places.js';
import { UsageError } from '../output/errors.js';
import type { Terminal } from '../output/terminal.js';

/** The parsed option that asks DuckDB for the rows. */
export interface QueryOptions {
  readonly query?: string;
}

const FLAG = '--query';
const arguments_ = new WeakSet<Argument>();

/** Adds an argument that names a file of rows, and the option that may stand in its place. */
export function addRowsOrQuery(command: Command, name: string, description: string): Command {
  const argument = new Argument(`[${name}]`, description);
  arguments_.add(argument);
  return command
    .addArgument(argument)
    .addOption(
      rarely(
        new Option(
          `${FLAG} <sql>`,
          `instead of ${name}: a query that DuckDB answers, over files, Postgres, SQLite and more (npm package @duckdb/node-api)`,
        ).helpGroup(headings.data),
      ),
    );
}

/** Whether an argument may be left out for a query alone. */
export function isRowsArgument(argument: Argument): boolean {
  return arguments_.has(argument);
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
