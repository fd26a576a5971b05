/** A column of a query's result. */
export interface ResultColumn {
  /** Distinct from those of the others. */
  readonly name: string;
  /** As DuckDB writes it: `DECIMAL(5,2)`. */
  readonly type: string;
}

/** Days, hours and what is below, as pandas writes them; an interval of months has no length. */
function durationOf(interval: string): string {
  const micros = `epoch_us(${interval})`;
  const days = `CAST(floor(${micros} / 86400000000) AS BIGINT)`;
  const clock = `TIME '00:00:00' + to_microseconds(${micros} - ${days} * 86400000000)`;
  return [
    `CASE WHEN datepart('year', ${interval}) <> 0 OR datepart('month', ${interval}) <> 0`,
    `THEN error('an interval of months, which has no length: subtract TIMESTAMPs, or give a number of days')`,
    `ELSE ${days} || CASE WHEN ${micros} < 0 THEN ' days +' ELSE ' days ' END || CAST(${clock} AS VARCHAR) END`,
  ].join(' ');
}

/**
 * How a column is written to Parquet, whose types are read as those of any file: what Parquet lacks, or would take for
 * something else, becomes what says the same.
 *
 * - sums of whole numbers are HUGEINT, which DuckDB would write as fractions
 * - lengths of time are texts as pandas writes them
 * - labels of an ENUM, bits and clocks of a zone are texts
 */
export function writtenColumn(column: string, type: string): string {
  if (['HUGEINT', 'UHUGEINT', 'VARINT', 'BIGNUM'].includes(type)) return `CAST(${column} AS DECIMAL(38,0))`;
  if (type === 'INTERVAL') return durationOf(column);
  if (type.startsWith('ENUM(') || type === 'BIT' || type === 'TIME WITH TIME ZONE') return `CAST(${column} AS VARCHAR)`;
  return column;
}

/** The statement that writes what a query answers to a file, column by column. */
export function writeStatement(query: string, columns: readonly ResultColumn[], path: string): string {
  const places = columns.map((_, at) => `c${at}`);
  const written = columns.map(({ name, type }, at) => `${writtenColumn(places[at]!, type)} AS ${quoted(name, '"')}`);
  // a query may end in a remark, which ends with its line
  const from = `(\n${query}\n) AS answer(${places.join(', ')})`;
  return `COPY (SELECT ${written.join(', ')} FROM ${from}) TO ${quoted(path, "'")} (FORMAT parquet)`;
}

function quoted(text: string, mark: '"' | "'"): string {
  return `${mark}${text.replaceAll(mark, mark + mark)}${mark}`;
}
