import { summarySchema, type RunWarning } from '@orchard/contracts';
import { BitMatrix } from '@orchard/dataset';
import { artefactNames, dataWarnings } from '@orchard/pipeline';
import { trainedOn } from '@orchard/pipeline/conformance';
import { describe, expect, test } from 'vitest';
import { dependentRows, exampleWords } from '../example.suite.js';
import { lbarn } from '../lbarn.js';

const codesOf = (warnings: readonly RunWarning[] | undefined): string[] => (warnings ?? []).map(({ code }) => code);

async function warningsOfRun(words: object, splits: { train: BitMatrix; valid: BitMatrix }): Promise<RunWarning[]> {
  const done = await trainedOn([splits.train, splits.valid], lbarn, { ...exampleWords, ...words });
  const { store, runId, choice, summary } = done;
  const bytes = await store.get(artefactNames.summary(runId, lbarn.wantedName(choice)));
  const { warnings } = summarySchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  expect(warnings).toEqual(summary.warnings);
  return warnings!;
}

describe('a run is warned about', () => {
  test('fewer than 50 validation rows, and not about 50', () => {
    const train = dependentRows(60, 4, 1);
    expect(dataWarnings(train, 50)).toEqual([]);
    expect(dataWarnings(train, 49)).toEqual([
      {
        code: 'few-validation-rows',
        message: expect.stringMatching(/^49 rows validate: .* below 50\. Give more/) as string,
      },
    ]);
    expect(dataWarnings(train, 1)[0]!.message).toMatch(/^1 row validates/);
  });

  test('columns of one value, by name or by number from 1, a few of them', () => {
    const rows = ['0101', '0001'];
    expect(dataWarnings(BitMatrix.fromRows(rows), 50)[0]).toMatchObject({
      code: 'constant-columns',
      message: expect.stringContaining('3 columns have one value in all 2 training rows (1, 3, 4)') as string,
    });
    const named = BitMatrix.fromRows(rows, { names: ['a', 'b', 'c', 'd'] });
    expect(dataWarnings(named, 50)[0]!.message).toContain('("a", "c", "d")');
    const wide = BitMatrix.fromRows(['0'.repeat(30), '0'.repeat(29) + '1']);
    expect(dataWarnings(wide, 50)[0]!.message).toContain(
      '29 columns have one value in all 2 training rows (1, 2, 3, 4, 5 and 24 more)',
    );
  });

  test('rounds that end while the validation likelihood rises, and not once it is flat or falls', async () => {
    const splits = { train: dependentRows(400, 8, 1), valid: dependentRows(200, 8, 2) };
    const [warning, ...others] = await warningsOfRun({ rounds: 5, patience: 0 }, splits);
    expect(warning).toMatchObject({ code: 'rounds-limit' });
    expect(warning!.message).toMatch(
      /still rising at the last of 5 rounds \(by 0\.\d+ nats per row over the last tenth of the trees; \d of 8 dimensions best there\)/,
    );
    expect(others).toEqual([]);
    expect(await warningsOfRun({ rounds: 600, patience: 0, shrinkage: 0.1 }, splits)).toEqual([]);
    expect(await warningsOfRun({ rounds: 600, patience: 20, shrinkage: 0.1 }, splits)).toEqual([]);
  });

  test('not where there is nothing to learn', async () => {
    const bits = (seed: number): BitMatrix => dependentRows(300, 2, seed);
    expect(codesOf(await warningsOfRun({ rounds: 10 }, { train: bits(1), valid: bits(2) }))).toEqual([]);
  });
});
