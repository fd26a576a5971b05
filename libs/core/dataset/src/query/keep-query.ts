import { DatasetError, quote } from '../errors.js';
import { Spool } from '../reading/spool.js';
import { distinctNames } from '../table-files/column-names.js';
import { loadDuckDb, type DuckDb, type DuckDbConnection } from './load-duckdb.js';
import { writeStatement, type ResultColumn } from './written-columns.js';

/** What a query answered, in a file that is read as any other. */
export interface KeptQuery {
  /** A Parquet file below `TMPDIR`, called `query.parquet`. */
  readonly path: string;
  /** What is to be said of it: one sentence each. */
  readonly notes: readonly string[];
  remove(): Promise<void>;
}

/** What DuckDB may hold before it writes to a temporary folder; `SET memory_limit = '8GB';` before a query is more. */
const MEMORY = '1GiB';

/**
 * Asks DuckDB a query, once, and keeps what it answers: a table is read more than once, and each pass has to see the
 * same rows. Memory is what DuckDB may hold, however many rows there are.
 *
 * @param sql one SELECT, or statements of which the last is one, as `ATTACH 'shop.duckdb'; SELECT * FROM shop.orders`
 * @throws DatasetError where DuckDB is not installed, for what is not a SELECT, and for what DuckDB refuses
 */
export async function keepQuery(sql: string): Promise<KeptQuery> {
  const duckDb = loadDuckDb();
  const spool = new Spool('--query');
  try {
    const path = await spool.pathFor('query.parquet');
    const notes = await asking(() => writeAnswer(duckDb, sql, path, spool));
    return { path, notes, remove: () => spool.remove() };
  } catch (error) {
    await spool.remove();
    throw error;
  }
}

async function writeAnswer(duckDb: DuckDb, sql: string, path: string, spool: Spool): Promise<string[]> {
  const options = { memory_limit: MEMORY, temp_directory: await spool.pathFor('duckdb') };
  const instance = await duckDb.DuckDBInstance.create(':memory:', options);
  const connection = await instance.connect();
  try {
    const { before, query } = await lastOf(sql, connection);
    if (before !== null) await connection.run(before);
    const notes = [`rows are what DuckDB ${duckDb.version()} answers.`];
    const columns = await describedColumns(query, connection, duckDb, notes);
    const { rowsChanged } = await connection.run(writeStatement(query, columns, path));
    if (rowsChanged === 0) throw refusal('no row', 'Check its conditions.');
    if (mayReorder(query)) notes.push('Without ORDER BY their order, and so the model, may differ the next time.');
    return notes;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** The last statement of several, and those before it. */
async function lastOf(
  sql: string,
  connection: DuckDbConnection,
): Promise<{ readonly before: string | null; readonly query: string }> {
  if (sql.trim() === '') throw noStatement();
  const { count } = await connection.extractStatements(sql);
  if (count === 0) throw noStatement();
  const whole = sql.replace(/[\s;]+$/, '');
  if (count === 1) return { before: null, query: whole };
  // a semicolon within quotes or a remark leaves two parts that are other statements, or none
  for (let at = whole.lastIndexOf(';'); at >= 0; at = whole.lastIndexOf(';', at - 1)) {
    const [before, query] = [whole.slice(0, at + 1), whole.slice(at + 1)];
    const counts = await Promise.all([countOf(before, connection), countOf(query, connection)]);
    if (counts[0] === count - 1 && counts[1] === 1) return { before, query };
    if (at === 0) break;
  }
  throw refusal(`${count} statements`, 'Give one SELECT.');
}

async function countOf(sql: string, connection: DuckDbConnection): Promise<number | null> {
  return connection.extractStatements(sql).then(
    ({ count }) => count,
    () => null,
  );
}

async function describedColumns(
  query: string,
  connection: DuckDbConnection,
  { StatementType }: DuckDb,
  notes: string[],
): Promise<ResultColumn[]> {
  const statement = await connection.prepare(query);
  try {
    if (statement.statementType !== StatementType.SELECT)
      throw refusal('a statement that is not a SELECT', 'End with a SELECT, whose rows are read.');
    const places = Array.from({ length: statement.columnCount }, (_, column) => column);
    const names = distinctNames(
      places.map((column) => statement.columnName(column)),
      notes,
    );
    const twice = names.find((name, at) => names.slice(0, at).some((one) => one.toLowerCase() === name.toLowerCase()));
    if (twice !== undefined)
      throw refusal(`columns whose names differ in case alone, as ${quote(twice)}`, 'Name one otherwise, by AS.');
    return places.map((column) => ({ name: names[column]!, type: String(statement.columnType(column)) }));
  } finally {
    statement.destroySync();
  }
}

/** Whether rows come in an order that nothing decides: threads of DuckDB end in any order. */
function mayReorder(query: string): boolean {
  const isShuffled = /\b(join|group\s+by|distinct|union|intersect|except|sample|postgres\w*)\b/i.test(query);
  return isShuffled && !/\border\s+by\b/i.test(query);
}

function noStatement(): DatasetError {
  return refusal('no statement', "Give a query, as SELECT * FROM 'sales/*.csv'.");
}

function refusal(got: string, remedy: string, cause?: unknown): DatasetError {
  const parts = { got, expected: 'a query that DuckDB answers', where: '--query', remedy };
  return new DatasetError('argument', parts, cause === undefined ? undefined : { cause });
}

/** What DuckDB refuses, in a line. */
async function asking<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (cause) {
    if (cause instanceof DatasetError) throw cause;
    const message = cause instanceof Error ? cause.message : String(cause);
    throw refusal(firstWords(message), remedyFor(message), cause);
  }
}

/** Its first paragraph, on one line: what follows are pages to read. */
function firstWords(message: string): string {
  return message
    .split(/\n\s*\n/)[0]!
    .replace(/\s+/g, ' ')
    .trim();
}

function remedyFor(message: string): string {
  const [, extension] = /extension ['"](\w+)['"]/i.exec(message) ?? [];
  if (extension !== undefined)
    return `DuckDB fetches it from extensions.duckdb.org: run INSTALL ${extension} where that can be reached, or SET extension_directory to a folder that has it.`;
  if (/out of memory/i.test(message)) return "Begin with SET memory_limit = '8GB'; or have it answer fewer rows.";
  if (/^(io|http) error/i.test(message)) return 'Check the paths and addresses of the query.';
  return 'Correct the query.';
}
