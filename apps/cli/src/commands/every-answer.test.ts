import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { families } from '@orchard/registry';
import { beforeAll, describe, expect, it } from 'vitest';
import { documentSchemas } from '../output/document-schemas.suite.js';
import { exclusiveOrRows, orchard, temporaryFolder } from '../run.suite.js';

/** Commands whose answer is one document, whatever the kind of model and of rows. */
const oneDocument = ['train', 'select', 'sample', 'complete', 'importance', 'evaluate'];

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);

const kinds = ['bits', 'table'] as const;
type Kind = (typeof kinds)[number];

writeFileSync(at('bits.csv'), exclusiveOrRows(120, 1));
writeFileSync(
  at('table.csv'),
  `kind,size,is\n${Array.from({ length: 120 }, (_, row) => `${['oak', 'fir', 'ash'][row % 3]!},${String((row * 7) % 40)},${row % 2 === 0 ? 'yes' : 'no'}`).join('\n')}\n`,
);

writeFileSync(at('bits-holes.csv'), 'a,b,c,d,e\n1,?,0,1,0\n?,?,1,0,0\n');
writeFileSync(at('table-holes.csv'), 'kind,size,is\noak,,yes\n,,no\n');

const all = kinds.flatMap((kind) => families.learning(kind).map(({ name }): readonly [Kind, string] => [kind, name]));

/** What a command answers, which `orchard` has compared with its schema. */
async function answer(...args: readonly string[]): Promise<Record<string, unknown>> {
  const { code, stderr, document } = await orchard(...args, '--json', '--quiet');
  expect(code, stderr).toBe(0);
  return document;
}

describe('one document a command', () => {
  it.each(oneDocument)('%s has one schema, without alternatives', (command) => {
    expect(documentSchemas()[command]).toMatchObject({ type: 'object' });
  });

  it('fields of before are marked in the schema, and say what replaces them', () => {
    const { properties } = documentSchemas()['sample'] as { readonly properties: Record<string, object> };
    expect(properties['variables']).toMatchObject({
      deprecated: true,
      description: expect.stringContaining('`names` has the same') as string,
    });
    expect(properties['names']).not.toHaveProperty('deprecated');
  });
});

describe.each(all)('of %s by %s', (kind, name) => {
  const rows = at(`${kind}.csv`);
  const model = at(`${kind} ${name}`);
  const names = kind === 'bits' ? ['a', 'b', 'c', 'd', 'e'] : ['kind', 'size', 'is'];
  const holes = at(`${kind}-holes.csv`);
  let trained: Record<string, unknown>;
  beforeAll(async () => {
    trained = await answer('train', rows, '--model', name, '--threads', '1', '--no-report', '--out', model);
  }, 120_000);

  it('train says what it trained', () => {
    expect(trained).toMatchObject({ family: name, network: { path: join(model, 'network.msgpack') } });
    const { likelihoods, columns } = trained as {
      readonly likelihoods: Record<string, number | null>;
      readonly columns: readonly { readonly name: string }[] | null;
    };
    expect(Object.keys(likelihoods).sort()).toEqual(['test', 'train', 'valid']);
    if (columns !== null) expect(columns.map((one) => one.name)).toEqual(names);
  });

  it('sample says its columns, and has a row for each sample', async () => {
    const sampled = await answer('sample', model, '--count', '3');
    expect(sampled).toMatchObject({ rows: 3, columns: names.length, names, seed: 0, rejected: null, path: null });
    expect((sampled['values'] as unknown[][]).map((row) => row.length)).toEqual(Array(3).fill(names.length));
  });

  it('evaluate says how likely rows are, by column where the likelihood has a share for each', async () => {
    const { columns, logLikelihood, likelihoodIs } = (await answer('evaluate', model, rows)) as {
      readonly columns: readonly { readonly name: string; readonly nats: number }[] | null;
      readonly logLikelihood: number;
      readonly likelihoodIs: string | null;
    };
    expect(columns === null).toBe(likelihoodIs === 'lower bound');
    if (columns === null) return;
    expect(columns.map((one) => one.name)).toEqual(names);
    expect(columns.reduce((sum, { nats }) => sum + nats, 0)).toBeCloseTo(logLikelihood, 6);
  });

  it('inspect says what the model is', async () => {
    const inspected = await answer('inspect', model);
    expect(inspected).toMatchObject({ columns: names.length, names, conditionals: null });
    expect(inspected['table'] === null).toBe(kind === 'bits');
  });

  it.each([
    ['samples', []],
    ['samples', ['--draws', '2']],
    ['points', ['--point', 'mode']],
    ['intervals', ['--interval', '0.5']],
    ['probabilities', ['--probabilities']],
    ['most probable values', ['--most-probable']],
  ])('complete says how missing values are answered, by %s %j, or is refused', async (asked, words) => {
    const { code, stderr, document } = await orchard('complete', model, holes, ...words, '--json', '--quiet');
    if (code !== 0) {
      expect([code, stderr]).toEqual([2, expect.stringContaining('a model of the family')]);
      return;
    }
    expect(document).toMatchObject({ rows: 2, missing: 3, answer: asked, path: null });
    const { exactRows, draws, cells, text } = document as Record<string, unknown> & { readonly text: string };
    expect(exactRows === 2 || draws !== null).toBe(true);
    expect(cells === null).toBe(asked !== 'intervals');
    expect(text.split('\n')[0]).toContain(asked === 'probabilities' ? 'row,column,value' : ',');
  });

  it('importance names every column, or is refused', async () => {
    const { code, stderr, document } = await orchard('importance', model, rows, '--json', '--quiet');
    if (code !== 0) {
      expect([code, stderr]).toEqual([2, expect.stringContaining('a model of the family')]);
      return;
    }
    const columns = document['columns'] as readonly { readonly name: string }[];
    expect(columns.map((one) => one.name).sort()).toEqual([...names].sort());
    expect(document['judgedBy']).toMatchObject({ split: 'data', rows: 120 });
  });
});
