import { codeOffsets, readCodes, type BitMatrix } from '@orchard/dataset';
import { independentLogLikelihood } from '@orchard/model';
import { describeTable, renderTableReport, type FinishedTable } from '@orchard/report';
import { describe, expect, test } from 'vitest';
import { csvRows, finishedTable } from './finished-table.suite.js';

const cities = ['Kiel', 'Lund', 'Bergen'];

/** Of each kind one: city, what follows from it, a measurement with holes, a date and a name. */
const survey = csvRows('city,coast,size,day,name', 300, (at, next) => {
  const city = Math.floor(next() * 3);
  const size = next() < 0.1 ? '' : (10 * city + next() * 5).toFixed(2);
  const day = `2024-0${String(1 + Math.floor(next() * 9))}-1${String(Math.floor(next() * 10))}`;
  return [cities[city]!, city === 1 ? 'no' : 'yes', size, day, `somebody ${String(at)}`];
});

const codesOf = ({ model }: FinishedTable, rows: BitMatrix, index: number): Uint16Array => {
  const offsets = codeOffsets(model.table);
  return readCodes(rows, offsets[index]!, offsets[index + 1]!);
};

describe('the facts of a table', () => {
  test('agree with a plain recomputation from rows and model', async () => {
    const finished = await finishedTable(survey);
    const { model, splits } = finished;
    const facts = await describeTable(finished);
    const test = splits.test!;
    expect(facts.heldOut).toBe('test');
    expect(facts.rows).toEqual({ train: 180, valid: 60, test: 60 });
    expect(facts.leftOut.map(({ name }) => name)).toEqual(['name']);
    expect(facts.variables.map(({ kind, measure, unit }) => [kind, measure, unit])).toEqual([
      ['categorical', 'mass', null],
      ['binary', 'mass', null],
      ['ordered', 'density', 'unit of size'],
      ['ordered', 'density', 'day'],
    ]);
    // codes and densities together are what the model says of the rows
    const cells = model.cellLogLikelihoods(test);
    const loss = facts.variables.slice(0, 2).map((variable) => variable.loss);
    loss.forEach((value, index) => {
      let nats = 0;
      for (let row = 0; row < test.rows; row++) nats += cells[row * 4 + index]!;
      expect(value).toBeCloseTo(-nats / test.rows, 9);
    });
    // on its own: a label's rate among training rows, half a row more for each of the three and "(other)"
    const train = codesOf(finished, splits.train, 0);
    const expected = [...codesOf(finished, test, 0)].reduce((sum, code) => {
      const rows = train.filter((each) => each === code).length;
      return sum - Math.log((rows + 0.5) / (train.length + 2)) / test.rows;
    }, 0);
    expect(facts.variables[0]!.ownLoss).toBeCloseTo(expected, 9);
    expect(facts.variables[0]!.ownCodeLoss).toBe(facts.variables[0]!.ownLoss);
    // what a density adds is added to both losses
    const { loss: sized, ownLoss, ownCodeLoss } = facts.variables[2]!;
    let codeNats = 0;
    for (let row = 0; row < test.rows; row++) codeNats += cells[row * 4 + 2]!;
    expect(ownLoss - sized).toBeCloseTo(ownCodeLoss + codeNats / test.rows, 9);
    // the city tells whether it lies at the coast
    expect(facts.variables[1]!.ownLoss - facts.variables[1]!.loss).toBeGreaterThan(3 * facts.variables[1]!.gainError);
    const [first] = facts.associations.strongest;
    expect(first).toMatchObject({ one: 'city', other: 'coast' });
    expect(first!.data).toBeCloseTo(1, 2);
    expect(first!.draws).toBeGreaterThan(0.8);
  });

  test('of members hold their folds, which are of all rows, against columns alone on all rows', async () => {
    const finished = await finishedTable(survey, { valid: 0.2 });
    const facts = await describeTable({
      ...finished,
      chosenByValidation: { what: 'the rounds', isBeforeRefit: true, isByMembers: true },
    });
    const { train, valid } = finished.splits;
    const [inside, outside] = [train, valid].map((rows) => rows.rows * independentLogLikelihood(train, rows));
    const alone = facts.variables.reduce((sum, { ownLoss }) => sum - ownLoss, 0);
    // as the line `fit` of the command line has it
    expect(alone).toBeCloseTo((inside! + outside!) / (train.rows + valid.rows), 9);
    const page = renderTableReport(facts);
    expect(page).toContain('nats per held-out row; alone');
    expect(page).toContain('What a value costs on the held-out rows');
  });

  test('of times of day are densities per second, in bars of whole minutes where minutes are written', async () => {
    const two = (part: number): string => String(Math.floor(part)).padStart(2, '0');
    const flights = csvRows('carrier,leaves,lands', 300, (_, next) => {
      const [leaves, lands] = [6 + next() * 8, 15 + next() * 8];
      const minute = (hours: number): string => `${two(hours)}:${two((hours % 1) * 60)}`;
      return [leaves < 10 ? 'early' : 'late', minute(leaves), `${minute(lands)}:${two(next() * 60)}`];
    });
    const finished = await finishedTable(flights);
    const facts = await describeTable(finished);
    expect(facts.variables.map(({ scale, unit }) => [scale, unit])).toEqual([
      [null, null],
      ['times', 'second'],
      ['times', 'second'],
    ]);
    for (const value of facts.variables[1]!.values) expect(value).toMatch(/^(0[6-9]|1[0-3]):\d\d$/);
    const [leaves, lands] = ['leaves', 'lands'].map((name) => {
      const { chart } = facts.marginals.shown.find((each) => each.name === name)!;
      if (chart.type !== 'histogram') throw new Error('times of day are shown as bars');
      return chart;
    });
    expect([leaves!.width % 60, leaves!.from % 60]).toEqual([0, 30]);
    expect(lands!.from % 1).toBe(0.5);
    const html = renderTableReport(facts);
    expect(html).toContain('times in ');
    expect(html).toMatch(/<bdi>leaves<\/bdi> \(per second\)/);
  });

  test('have marginals that are shares: bars and what lies beyond them come to 1', async () => {
    const { marginals } = await describeTable(await finishedTable(survey));
    expect(marginals.shown.map(({ name }) => name)).toEqual(['city', 'coast', 'size', 'day']);
    for (const { chart, holes, difference } of marginals.shown) {
      expect(difference).toBeGreaterThanOrEqual(0);
      expect(difference).toBeLessThan(0.2);
      for (const of of ['data', 'draws'] as const) {
        const sum =
          chart.type === 'labels'
            ? chart.bars.reduce((all, bar) => all + bar[of], 0)
            : chart[of].reduce((all, bar) => all + bar, 0) + chart.below[of] + chart.above[of];
        expect(sum + (chart.type === 'labels' ? (holes?.[of] ?? 0) : 0)).toBeCloseTo(1, 9);
      }
    }
    const size = marginals.shown[2]!;
    expect(size.holes!.data).toBeGreaterThan(0.03);
    // nothing was measured between 5 and 10
    if (size.chart.type !== 'histogram') throw new Error('numbers have a histogram');
    const { from, width, data } = size.chart;
    expect(from).toBeLessThan(0.5);
    expect(data[Math.floor((7.5 - from) / width)]).toBeLessThan(0.02);
    expect(data[Math.floor((2.5 - from) / width)]).toBeGreaterThan(0.02);
  });

  test('tell odd rows by the columns that make them odd, with what was expected', async () => {
    // the last rows break the rule that the others keep; seed and shares put one of them into the test rows
    const lines = survey.split('\n');
    for (const at of [10, 60, 110, 160, 210, 260]) {
      const [city, coast, ...rest] = lines[at]!.split(',');
      lines[at] = [city, coast === 'yes' ? 'no' : 'yes', ...rest].join(',');
    }
    const finished = await finishedTable(lines.join('\n'));
    const { oddRows } = await describeTable(finished);
    expect(oddRows!.of).toBe(60);
    const broken = oddRows!.shown.find(({ reasons }) => reasons[0]!.name === 'coast')!;
    const [reason] = broken.reasons;
    const row = broken.row - 1;
    const code = codesOf(finished, finished.splits.test!, 1)[row]!;
    expect(reason!.value).toBe(['no', 'yes'][code]);
    const distribution = finished.model.distributionOf(1, finished.splits.test!);
    expect(reason!.probability).toBeCloseTo(distribution[row * 3 + code]!, 9);
    expect(reason!.expected[0]!.value).toBe(['yes', 'no'][code]);
    expect(reason!.expected[0]!.probability).toBeCloseTo(1 - reason!.probability, 3);
    const scores = oddRows!.shown.map((odd) => odd.score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(broken.score).toBeGreaterThanOrEqual(reason!.surprise);
  });

  test('give the same page twice, which names no time', async () => {
    const page = renderTableReport(await describeTable(await finishedTable(survey)));
    expect(renderTableReport(await describeTable(await finishedTable(survey)))).toBe(page);
    expect(page).not.toContain(String(new Date().getFullYear()));
  });
});

/** All that a page shows as text, without its style sheet. */
const textOf = (page: string): string => page.replace(/<style>.*?<\/style>/s, '').replace(/<[^>]*>/g, ' ');

describe('the page', () => {
  test.each<[string, string, object?]>([
    ['constant columns', csvRows('a,b,c', 60, (_, next) => ['same', 7, next() < 0.5 ? 'x' : 'y'])],
    ['one variable', csvRows('a', 60, (_, next) => [Math.floor(next() * 4)])],
    ['one constant variable', csvRows('a', 60, () => ['same'])],
    [
      'holes alone in most rows',
      csvRows('a,b', 80, (at, next) => [at % 40 === 0 ? 'yes' : at % 40 === 1 ? 'no' : '', next().toFixed(3)]),
    ],
    [
      'a few rows',
      csvRows('a,b,c', 6, (at, next) => [at % 2, next().toFixed(2), 'ab'.charAt(at % 2)]),
      { valid: 0.2, test: 0.2 },
    ],
    ['no test rows', survey, { valid: 0.2 }],
    [
      'numbers far apart',
      csvRows('a,b', 120, (at, next) => [at === 7 ? '1e12' : next().toFixed(4), (next() * 1e-7).toFixed(12)]),
    ],
    ['huge numbers', csvRows('a,b', 120, (_, next) => [Math.round(next() * 1e9) * 1e6, -Math.round(next() * 1e5)])],
    [
      'times and early dates',
      csvRows('a,b', 120, (at, next) => [
        `2024-03-0${String(1 + (at % 3))}T${String(10 + Math.floor(next() * 14))}:${String(10 + Math.floor(next() * 50))}:00Z`,
        `${String(1600 + Math.floor(next() * 400))}-05-01`,
      ]),
    ],
  ])('has no figure that is none: %s', async (_, text, fractions) => {
    const finished = await finishedTable(text, fractions as { valid: number });
    const page = renderTableReport(await describeTable(finished));
    expect(page).not.toMatch(/NaN|undefined|not a number/);
    expect(textOf(page)).not.toMatch(/Infinity|∞|null/);
  });

  test('says which columns are constant, have hundreds of labels, or labels that training never saw', async () => {
    const text = csvRows('same,many,rare', 1200, (at, next) => [
      'same',
      `label ${String(Math.floor(next() * 150))}`,
      at % 97 === 0 ? `only ${String(at)}` : 'often',
    ]);
    const { warnings } = await describeTable(await finishedTable(text));
    expect(warnings.join('\n')).toMatch(/same in all training rows.*“same”/);
    expect(warnings.join('\n')).toMatch(/Hundreds of labels.*“many” \(1[45]\d\)/);
    expect(warnings.join('\n')).toMatch(/training rows never have.*“rare” \(\d+ rows?\)/);
  });

  test('stays small for a wide table, and says what it leaves out', async () => {
    const width = 210;
    const head = Array.from({ length: width }, (_, at) => `column ${String(at)}`).join(',');
    const text = csvRows(head, 30, (_, next) => Array.from({ length: width }, () => (next() < 0.5 ? 'x' : 'y')));
    const page = renderTableReport(await describeTable(await finishedTable(text)));
    expect(page.length).toBeLessThan(1_500_000);
    const said = textOf(page);
    expect(said).toContain('162 more are left out');
    expect(said).toContain('Compared are the 200 variables that gain most, of 210');
    expect(said).toContain('168 are left out of it');
    expect(said).toContain('110 more columns are left out');
  });
});
