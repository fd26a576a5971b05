import { createRequire } from 'node:module';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { argv, orchard, rowsIn, temporaryFolder } from '../run.suite.js';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);
const rows = Array.from({ length: 60 }, (_, row) =>
  [(row * 37) % 11, ['north', 'south', 'east'][(row * 7) % 3], `${String((row * 13) % 9)}.5`].join(','),
);
const table = at('sales.csv');
writeFileSync(table, `age,region,amount\n${rows.join('\n')}\n`);

const isInstalled = ((): boolean => {
  try {
    createRequire(import.meta.url).resolve('@duckdb/node-api');
    return true;
  } catch {
    return false;
  }
})();
if (!isInstalled)
  console.warn(
    'Skipped: queries of DuckDB. To run them: npm install --no-save @duckdb/node-api, or name it by NODE_PATH',
  );

describe('a query in the place of a file', () => {
  it('is refused beside one, and one of the two is asked for', async () => {
    const both = await orchard(...argv`describe ${table} --query ${'SELECT 1'}`);
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('got FILE and --query')]);
    const neither = await orchard(...argv`evaluate run`);
    expect([neither.code, neither.stderr]).toEqual([
      2,
      expect.stringContaining('got no DATA, expected DATA, or --query'),
    ]);
  });

  it.skipIf(isInstalled)('is refused with the command that installs DuckDB where it is not there', async () => {
    const { code, stderr } = await orchard(...argv`describe --query ${'SELECT 1'}`);
    expect([code, stderr.trim().split('\n')]).toEqual([
      2,
      [expect.stringContaining('npm install --global @duckdb/node-api')],
    ]);
  });
});

/** A folder with DuckDB's extensions for its release; without one they are fetched from the net, which tests do not. */
const extensions = process.env.ORCHARD_DUCKDB_EXTENSIONS;

describe.skipIf(!isInstalled || extensions === undefined)('what extensions of DuckDB read', () => {
  const load = (name: string): string => `LOAD '${extensions!}/${name}.duckdb_extension';`;
  const described = async (sql: string): Promise<unknown> => {
    const { code, stderr, document } = await orchard(...argv`describe --query ${sql} --json`);
    expect(code, stderr).toBe(0);
    return (document['variables'] as readonly { name: string }[]).map(({ name }) => name);
  };
  const written = async (sql: string): Promise<void> => {
    const { DuckDBInstance } = createRequire(import.meta.url)('@duckdb/node-api') as {
      DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<{ run(sql: string): Promise<unknown> }> }> };
    };
    await (await (await DuckDBInstance.create(':memory:')).connect()).run(sql);
  };

  it('are rows of SQLite', async () => {
    const path = at('shop.db');
    await written(`${load('sqlite_scanner')} ATTACH '${path}' AS shop (TYPE sqlite);
      CREATE TABLE shop.sales AS FROM '${table}'; DETACH shop`);
    expect(await described(`${load('sqlite_scanner')} FROM sqlite_scan('${path}', 'sales')`)).toEqual([
      'age',
      'region',
      'amount',
    ]);
  });

  it('are rows of an Excel workbook', async () => {
    const path = at('sales.xlsx');
    await written(`${load('excel')} COPY (FROM '${table}') TO '${path}' (FORMAT xlsx, HEADER true)`);
    expect(await described(`${load('excel')} FROM read_xlsx('${path}')`)).toEqual(['age', 'region', 'amount']);
  });
});

describe.skipIf(!isInstalled)('rows that DuckDB answers', () => {
  it('train the bytes that the same rows of a file do, and are asked for like them', async () => {
    const run = async (name: string, ...source: string[]): Promise<Buffer> => {
      const { code, stderr } = await orchard(...argv`train ${source} --model marginals --out ${at(name)} --no-report`);
      expect(code, stderr).toBe(0);
      return readFileSync(at(`${name}/network.msgpack`));
    };
    const ofFile = await run('of-file', table);
    expect(await run('of-query', '--query', `FROM '${table}'`)).toEqual(ofFile);
    expect(await run('of-texts', '--query', `FROM read_csv('${table}', all_varchar = true) -- ;`)).toEqual(ofFile);
    const evaluated = async (...source: string[]): Promise<unknown> =>
      (await orchard(...argv`evaluate ${at('of-file')} ${source} --json`)).document['logLikelihood'];
    expect(await evaluated('--query', `FROM '${table}'`)).toBe(await evaluated(table));
    const filled = await orchard(
      ...argv`complete ${at('of-file')} --query ${"SELECT 3 AS age, 'east' AS region, NULL AS amount"}`,
    );
    expect(rowsIn(filled.stdout)[0]!.slice(0, 2)).toEqual(['3', 'east']);
    const odd = await orchard(...argv`outliers --query ${`FROM '${table}'`} --count 1 --folds 2 --json`);
    expect(odd.document).toMatchObject({ rows: 60 });
  });

  it('are taken by every command that asks about rows, and are called by the option', async () => {
    expect((await orchard(...argv`train ${table} --model marginals --out ${at('asked')} --no-report`)).code).toBe(0);
    const query = `FROM '${table}'`;
    const described = await orchard(...argv`describe --query ${query} --json`);
    expect(described.document['file']).toBe('--query');
    for (const words of [
      argv`check -n 1 --folds 2`,
      argv`classify --by region --model marginals --out ${at('classes')}`,
      argv`judge --train ${table} --test ${table}`,
      argv`compare ${at('asked')} ${at('asked')}`,
    ]) {
      const { code, stderr } = await orchard(...words, '--query', query, '--json');
      expect([words[0], code, stderr]).toEqual([words[0], code === 3 ? 3 : 0, expect.anything()]);
      expect(stderr).not.toContain('orchard-table-');
    }
  });

  it('have the types of the answer, and nothing of them is kept', async () => {
    mkdirSync(at('temporary'));
    vi.stubEnv('TMPDIR', at('temporary'));
    const sql = [
      "SELECT sum(range) OVER (ORDER BY range) AS total, INTERVAL '1 hour' * (range - 3) AS lasts,",
      "DATE '2026-01-01' + CAST(range AS INT) AS day, [range] AS list, (range % 2)::VARCHAR::ENUM('0', '1') AS label",
      'FROM range(40)',
    ].join('\n');
    const { document } = await orchard(...argv`describe --json --query ${`SET memory_limit = '500MB'; ${sql}`}`);
    const variables = document['variables'] as readonly { name: string; values: string }[];
    expect(Object.fromEntries(variables.map(({ name, values }) => [name, values]))).toEqual({
      total: '0 to 780, 8 bins',
      lasts: '-1 days +21:00:00 to 1 days 12:00:00, 8 bins',
      day: '2026-01-01 to 2026-02-09, 8 bins',
      label: '0, 1',
    });
    expect(document['leftOut']).toEqual([{ name: 'list', why: expect.stringContaining('lists or records') as string }]);
    expect(readdirSync(at('temporary'))).toEqual([]);
    vi.unstubAllEnvs();
  });

  it.each([
    ['SELEC 1', 'syntax error at or near "SELEC", expected a query that DuckDB answers. Correct the query.'],
    ['CREATE TABLE a (x INT)', 'got a statement that is not a SELECT'],
    [' ', 'got no statement'],
    ['SELECT 1 AS x WHERE false', 'got no row'],
    ['SELECT 1 AS x, 2 AS "X"', 'names differ in case alone, as "X"'],
    ["SELECT INTERVAL '2 months' AS x", 'an interval of months, which has no length'],
    ["FROM 'none.csv'", 'Check the paths and addresses of the query.'],
  ])('are refused in one line: %s', async (sql, message) => {
    const { code, stderr } = await orchard(...argv`describe --query ${[sql]}`);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(
      stderr
        .trim()
        .split('\n')
        .filter((line) => line.includes('expected')),
    ).toHaveLength(1);
  });

  it('say where their order is not that of the query', async () => {
    const join = `SELECT a.age, b.region FROM '${table}' a JOIN '${table}' b USING (age)`;
    const said = async (sql: string): Promise<string> => (await orchard(...argv`describe --query ${sql}`)).stderr;
    expect(await said(join)).toContain('Without ORDER BY');
    expect(await said(`${join} ORDER BY ALL`)).not.toContain('Without ORDER BY');
  });
});
