import { createRequire } from 'node:module';
import { DatasetError } from '../errors.js';

/** What is used of DuckDB's package for Node, which is not installed with this program. */
export interface DuckDb {
  readonly DuckDBInstance: {
    create(path: string, options: Readonly<Record<string, string>>): Promise<DuckDbInstance>;
  };
  readonly StatementType: { readonly SELECT: number };
  version(): string;
}

export interface DuckDbInstance {
  connect(): Promise<DuckDbConnection>;
  closeSync(): void;
}

export interface DuckDbConnection {
  /** `rowsChanged` is how many rows a COPY wrote. */
  run(sql: string): Promise<{ readonly rowsChanged: number }>;
  prepare(sql: string): Promise<DuckDbStatement>;
  extractStatements(sql: string): Promise<{ readonly count: number }>;
  closeSync(): void;
}

export interface DuckDbStatement {
  readonly statementType: number;
  readonly columnCount: number;
  columnName(column: number): string;
  columnType(column: number): { toString(): string };
  destroySync(): void;
}

const PACKAGE = '@duckdb/node-api';

/**
 * DuckDB, from the folders of packages above this program or from those that NODE_PATH names.
 *
 * @throws DatasetError where it is not there, with the command that installs it
 */
export function loadDuckDb(): DuckDb {
  try {
    // by require: import does not look at NODE_PATH, and a program of a clone or a wheel has no package beside it
    return createRequire(import.meta.url)(PACKAGE) as DuckDb;
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const isAbsent = code === 'MODULE_NOT_FOUND' && message.includes(`'${PACKAGE}'`);
    throw new DatasetError(
      'argument',
      {
        got: isAbsent
          ? `no package ${PACKAGE}`
          : `a package ${PACKAGE} that does not load (${message.split('\n')[0]!})`,
        expected: 'DuckDB, which answers queries and is not installed with Orchard',
        where: '--query',
        remedy: `Install it: npm install --global ${PACKAGE} && export NODE_PATH="$(npm root --global)"`,
      },
      { cause },
    );
  }
}
