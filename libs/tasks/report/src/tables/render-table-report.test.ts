import { BitMatrix } from '@orchard/dataset';
import { parseHTML } from 'linkedom';
import { describe, expect, test } from 'vitest';
import { axisTicks } from './axis-ticks.js';
import { LONGEST_CAPTION } from '../headline.js';
import { copyFacts } from './copy-facts.js';
import { dataText, shortened } from './data-text.js';
import { exampleTableFacts, oddNames } from './example-table-facts.suite.js';
import { renderTableReport } from './render-table-report.js';

/** What a line of 76 zeros holds of text. */
const LETTERS_A_LINE = 85;

describe('the report of a table', () => {
  const page = renderTableReport(exampleTableFacts());
  const { document } = parseHTML(page);

  test('is one file that stands alone, without a script, whatever columns and labels are called', () => {
    expect(document.querySelectorAll('script').length).toBe(0);
    // what a name would have put in, had it not been escaped; every `b` of the page's own is a figure
    expect(document.querySelectorAll('style').length).toBe(1);
    expect(page).not.toContain('<script');
    expect(page).not.toContain('<i>a</i>');
    expect(page).not.toMatch(/(?:src|href)="(?!data:)/);
    expect(page).not.toContain('\0');
    const names = [...document.querySelectorAll('.variables tbody th bdi')].map((each) => each.textContent);
    expect(names).toContain('<script>alert(1)</script>');
    expect(names).toContain('"quoted" & \'so\'');
    expect(names).toContain('👩‍👩‍👧 family');
  });

  test('is called by its file, where that is known, and begins with three figures and pictures', () => {
    const named = parseHTML(renderTableReport(exampleTableFacts({ title: 'a & b.csv', sources: [['test', 't.csv']] })));
    expect(named.document.querySelector('h1')!.textContent).toBe('a & b.csv');
    expect(named.document.querySelector('.lead')!.textContent).toContain('A table of 8 variables.');
    expect(named.document.querySelector('section:last-of-type dl')!.textContent).toContain('t.csv');
    const figures = [...document.querySelectorAll('.figures > div')];
    expect(figures.map((each) => each.querySelector('b')!.textContent)).toEqual(['38 %', '−4.100', '12\u202f000 × 8']);
    for (const each of figures)
      expect(each.querySelector('span')!.textContent.length).toBeLessThanOrEqual(LONGEST_CAPTION);
    const [, pairs, predicted] = [...document.querySelectorAll('section')];
    expect(pairs!.querySelectorAll('svg.panel').length).toBe(2);
    expect(predicted!.querySelectorAll('.parts').length).toBe(4);
  });

  test('has no paragraph of six lines that is not folded away', () => {
    const open = [...document.querySelectorAll('p')].filter((each) => each.closest('details') === null);
    const lines = open.map((each) => [each.textContent.length / LETTERS_A_LINE, each.textContent] as const);
    expect(lines.filter(([count]) => count > 3)).toEqual([]);
    expect(document.querySelectorAll('details.more').length).toBeGreaterThan(5);
  });

  test('names the predictors of a column, and what the others are together', () => {
    const lines = [...document.querySelectorAll('.predicted-from li')].map((each) => each.textContent);
    expect(lines[2]).toContain('30 %');
    expect(lines[2]).toContain('others 40 %');
    // the second share of a line is no better than noise
    expect(lines[1]).not.toContain('(noise?)');
    expect(lines[2]!.match(/\(noise\?\)/g)).toHaveLength(1);
    expect(page).toContain('dealt to other test rows, predict as well');
    const many = renderTableReport(exampleTableFacts({ rows: { train: 9000, valid: 0, test: 20_000 } }));
    expect(many).toContain('dealt to other test rows (4\u202f000 of 20\u202f000), predict as well');
    const none = renderTableReport(exampleTableFacts({ importance: [] }));
    expect(none).toContain('On the test rows no column gains from the others beyond noise.');
  });

  test('cuts what is long, and says what is empty', () => {
    expect(page).not.toContain('x'.repeat(80));
    expect(shortened(`${'x'.repeat(300)}1`)).toBe(`${'x'.repeat(24)}…${'x'.repeat(22)}1`);
    expect(shortened('👩'.repeat(60), 4)).toBe('👩👩…👩');
    expect(shortened('symptom_in_the_last_7_weeks', 18)).not.toBe(shortened('symptom_in_the_last_8_weeks', 18));
    expect(shortened('two\nlines')).toBe('two␊lines');
    expect(dataText('')).toContain('empty text');
    expect(dataText('  ')).toContain('blanks');
  });

  test('tells masses from densities, and what they are together', () => {
    const said = document.querySelector('.under')!.textContent;
    const losses = exampleTableFacts().variables.map(({ loss }) => loss);
    const of = (which: (at: number) => boolean): string =>
      losses
        .filter((_, at) => which(at))
        .reduce((sum, loss) => sum - loss, 0)
        .toPrecision(4)
        .replace('-', '−');
    expect(said).toContain(`A test row has ${of(() => true)} nats`);
    expect(said).toContain(`${of((at) => at % 3 !== 2)} nats are log-probabilities (masses) of 6 columns`);
    expect(said).toContain(`${of((at) => at % 3 === 2)} log-densities of 2 columns`);
  });

  test('marks gains that are no better than noise, and the first variable, of which nothing is predicted', () => {
    const bars = [...document.querySelectorAll('.variables tbody td.bar')];
    const unsure = bars.map((bar, at) => (bar.classList.contains('unsure') ? at : -1)).filter((at) => at >= 0);
    expect(unsure).toEqual([0, 4]);
    expect(bars[0]!.textContent).toBe('0.0 %');
  });

  test('says whether samples are copies, beside held-out rows, and how much likelier training rows are', () => {
    expect(page).toContain('Are the samples copies?');
    expect(page).toContain('<li>sampled rows that equal a training row: 1.0 %</li>');
    expect(page).toContain('<li>test rows that do: 1.2 %</li>');
    expect(page).toContain('<li>nats per row that training rows are likelier than test rows: +0.400</li>');
    const untold = renderTableReport(exampleTableFacts({ copies: { ofDraws: 0, ofHeldOut: 0, gap: null } }));
    expect(untold).not.toContain('likelier than test rows');
  });

  test('counts rows that equal a training row in every code', () => {
    const rows = (bits: string[]): BitMatrix => BitMatrix.fromRows(bits);
    const splits = {
      train: rows(['101', '010']),
      heldOut: rows(['111', '010']),
      draws: rows(['101', '101', '000', '010']),
    };
    expect(copyFacts(splits, { train: -1, valid: -1.5, test: null }, 'valid')).toEqual({
      ...{ ofDraws: 0.75, ofHeldOut: 0.5, gap: 0.5 },
    });
  });

  test('says so where there are no test rows', () => {
    const said = renderTableReport(
      exampleTableFacts({ heldOut: 'validation', rows: { train: 10, valid: 5, test: null } }),
    );
    expect(said).toContain(
      'These rows chose the rounds, so the figures, of the model before the refit, are a little too good.',
    );
    expect(said).toContain('These rows may have chosen the model or trained it: where they have, it has seen them');
    expect(said).toContain('5 validation, no test');
  });

  test('has no associations of one variable, and no list of left-out columns where there are none', () => {
    const { variables } = exampleTableFacts();
    const said = renderTableReport(exampleTableFacts({ variables: variables.slice(0, 1), leftOut: [] }));
    expect(said).not.toContain('Dependences: ');
    expect(said).not.toContain('not in the model');
    expect(said).toContain('A table of 1 variable<');
  });

  test('has every mark of its charts inside them', () => {
    for (const chart of document.querySelectorAll('svg.histogram')) {
      const numbers = [...chart.querySelectorAll('path')].flatMap((path) =>
        [...path.getAttribute('d')!.matchAll(/[MHVm]?(-?[\d.]+)/g)].map((match) => Number(match[1])),
      );
      expect(numbers.length).toBeGreaterThan(20);
      expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...numbers)).toBeLessThanOrEqual(300);
    }
    expect(document.querySelectorAll('svg.histogram').length).toBe(2);
    expect(document.querySelectorAll('.matrix rect').length).toBe(2 * oddNames.length * (oddNames.length - 1));
  });
});

describe('ticks of an axis', () => {
  const number = { type: 'number', decimals: 2, places: 2, padded: true } as const;
  const day = { type: 'date', time: null } as const;
  const labels = (ticks: ReturnType<typeof axisTicks>): string[] => ticks.map(({ label }) => label);
  const dayOf = (text: string): number => Date.parse(text) / 86_400_000;

  test.each([
    [0, 10, ['0', '5', '10']],
    [-1, 1, ['−1.0', '−0.5', '0', '0.5', '1.0']],
    [9, 46.6, ['10', '20', '30', '40']],
    [1970, 1982, ['1970', '1975', '1980']],
    [0, 35_000, ['0', '10\u202f000', '20\u202f000', '30\u202f000']],
    [0, 400_000, ['0', '100k', '200k', '300k', '400k']],
    [0.01, 0.05, ['0.01', '0.02', '0.03', '0.04', '0.05']],
    [5, 5, ['5']],
    [0, 4e12, ['0', '1000G', '2000G', '3000G', '4000G']],
    [1e17, 3e17, ['1.0e+17', '1.5e+17', '2.0e+17', '2.5e+17', '3.0e+17']],
  ])('from %d to %d are numbers in few digits', (low, high, expected) => {
    expect(labels(axisTicks(number, low, high))).toEqual(expected);
  });

  test('are times of a day: hours, minutes, seconds, and their parts where they are written', () => {
    const clock = (from: string, to: string, seconds = true, digits = 0): string[] => {
      const at = (text: string): number => {
        const [hours = 0, minutes = 0, ofMinute = 0] = text.split(':').map(Number);
        return (hours * 3600 + minutes * 60 + ofMinute) * 10 ** digits;
      };
      const ticks = axisTicks({ type: 'time', seconds, digits }, at(from), at(to));
      expect(ticks.length).toBeLessThanOrEqual(5);
      for (const { at: place, label } of ticks) expect(place).toBeCloseTo(at(label), 6);
      return labels(ticks);
    };
    expect(clock('00:00', '24:00', false)).toEqual(['00:00', '06:00', '12:00', '18:00', '24:00']);
    expect(clock('00:00', '25:30', true, 6)).toEqual(['00:00', '06:00', '12:00', '18:00', '24:00']);
    expect(clock('06:00', '22:30', false)).toEqual(['08:00', '12:00', '16:00', '20:00']);
    expect(clock('08:02', '09:01')).toEqual(['08:15', '08:30', '08:45', '09:00']);
    expect(clock('08:00:10', '08:00:50')).toEqual(['08:00:10', '08:00:20', '08:00:30', '08:00:40', '08:00:50']);
    expect(clock('20:00', '26:00')).toEqual(['20:00', '22:00', '24:00']);
    expect(clock('08:00', '08:02', false)).toEqual(['08:00', '08:01', '08:02']);
    expect(clock('08:00:10', '08:00:11')).toEqual(['08:00:10', '08:00:11']);
    expect(clock('08:00:10', '08:00:11', true, 3)).toEqual(['08:00:10.0', '08:00:10.5', '08:00:11.0']);
  });

  test.each([
    [0, 45 * 60, ['0 min', '10 min', '20 min', '30 min', '40 min']],
    [0, 3, ['0 s', '1 s', '2 s', '3 s']],
    [0, 1.2, ['0 s', '0.5 s', '1.0 s']],
    [-3600, 3600, ['−60 min', '−30 min', '0 min', '30 min', '60 min']],
    [0, 36 * 3600, ['0 h', '12 h', '24 h', '36 h']],
    [0, 40 * 86_400, ['0 d', '10 d', '20 d', '30 d', '40 d']],
  ])('from %d to %d seconds are durations in one unit', (low, high, expected) => {
    const ticks = axisTicks({ type: 'duration', digits: 3 }, low * 1000, high * 1000);
    expect(labels(ticks)).toEqual(expected);
    expect(ticks.length).toBeLessThanOrEqual(5);
    for (const { at } of ticks) expect(at >= low * 1000 && at <= high * 1000).toBe(true);
  });

  test('are dates on a calendar: years, months, days, hours', () => {
    const days = (from: string, to: string): string[] => labels(axisTicks(day, dayOf(from), dayOf(to)));
    expect(days('1970-01-01', '1982-06-01')).toEqual(['1970', '1975', '1980']);
    expect(days('2012-01-01', '2015-12-31')).toEqual(['2012', '2013', '2014', '2015']);
    expect(days('2024-01-20', '2024-09-03')).toEqual(['2024-03', '2024-05', '2024-07', '2024-09']);
    expect(days('2024-02-27', '2024-03-08')).toEqual(['2024-02-27', '2024-03-03', '2024-03-08']);
    const time = { type: 'date', time: { separator: 'T', seconds: true, digits: 3, zone: 'Z' } } as const;
    const at = (text: string): number => Date.parse(text);
    expect(labels(axisTicks(time, at('2024-03-01T01:00Z'), at('2024-03-02T12:00Z')))).toEqual([
      '03-01 12:00',
      '03-02 00:00',
      '03-02 12:00',
    ]);
  });
});
