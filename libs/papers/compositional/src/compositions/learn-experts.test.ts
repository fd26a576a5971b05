import { attachRows, BitMatrix, shareRows, type CountedRows } from '@orchard/dataset';
import { Purpose, RandomStream } from '@orchard/numerics';
import { describe, expect, test } from 'vitest';
import { Composed } from './composed.js';
import { composedBy } from './composed-of-votes.js';
import { abstainingOf, Experts, isAsymmetric, type Composition } from './experts.js';
import { stepOf } from './learn-experts.js';
import { Pursuit } from './pursuit.js';
import { pixelsOf, quadrants } from './quadrants.js';
import { startOf } from './start-experts.js';

function counted(rows: readonly string[] | BitMatrix): CountedRows {
  return attachRows(shareRows(rows instanceof BitMatrix ? rows : BitMatrix.fromRows(rows)));
}

function expertsOf(composition: Composition, templates: readonly (readonly number[])[], rows = 4): Experts {
  return new Experts({
    composition,
    dimensions: templates[0]!.length,
    abstaining: abstainingOf(composition, rows),
    active: new Float64Array(templates.length).fill(1 / 2),
    rates: Float64Array.from(templates.flat()),
  });
}

function composedOf(experts: Experts, active: readonly number[]): number[] {
  const composed = new Composed(experts);
  for (const expert of active) composed.add(expert);
  const rates = new Float64Array(experts.dimensions);
  composed.ratesInto(rates);
  return [...rates];
}

describe('a composition', () => {
  const templates = [[0.7], [0.7], [0.2], [0.5]];

  test('of extremes gains nothing by the same expert twice, and loses by opposing ones', () => {
    const experts = expertsOf('max-minus-min', templates);
    expect(composedOf(experts, [0, 1])).toEqual(composedOf(experts, [0]));
    expect(composedOf(experts, [0, 2])[0]).toBeCloseTo(0.5 + 0.2 - 0.3, 12);
  });

  test('of log-odds gains by it', () => {
    expect(composedOf(expertsOf('log-odds', templates), [0, 1])[0]).toBeCloseTo(0.49 / (0.49 + 0.09), 12);
  });

  test.each(['max-minus-min', 'log-odds'] as const)('by %s heeds no expert that says 1/2', (composition) => {
    const experts = expertsOf(composition, templates);
    for (const expert of [0, 2])
      expect(composedOf(experts, [expert, 3])[0]).toBeCloseTo(composedOf(experts, [expert])[0]!, 12);
  });
});

describe('a pursuit', () => {
  test('takes the expert that fits best, then what explains the rest, and stops', () => {
    const experts = expertsOf('max-minus-min', [
      [0.5, 0.5, 0.9, 0.9, 0.9],
      [0.9, 0.9, 0.5, 0.5, 0.5],
      [0.1, 0.1, 0.5, 0.5, 0.5],
    ]);
    const { experts: chosen, nats } = new Pursuit(experts).explain(Uint8Array.of(1, 1, 1, 1, 1));
    expect(chosen).toEqual([0, 1]);
    expect(nats).toBeCloseTo(5 * Math.log(0.9), 12);
    expect(new Pursuit(experts).explain(Uint8Array.of(0, 0, 1, 1, 1)).experts).toEqual([0, 2]);
  });

  test('adds no expert that is too rare for what it explains', () => {
    const parts = expertsOf('max-minus-min', [
      [0.9, 0.9, 0.9, 0.5],
      [0.5, 0.5, 0.5, 0.9],
    ]).parts();
    const chosenBy = (share: number): readonly number[] =>
      new Pursuit(new Experts({ ...parts, active: Float64Array.of(0.5, share) })).explain(Uint8Array.of(1, 1, 1, 1))
        .experts;
    // log .9 / .5 = .588 is more than log .64 / .36 = .575, but less than log .65 / .35 = .619
    expect(chosenBy(0.36)).toEqual([0, 1]);
    expect(chosenBy(0.35)).toEqual([0]);
  });

  test('of max is not led astray by what lies beside an expert: templates are truncated at 1/2', () => {
    // the weak expert fits the whole row better than the strong one, whose background the other's figure spoils
    const experts = expertsOf('max', [
      [0.9, 0.9, 0.17, 0.17, 0.17, 0.17],
      [0.6, 0.6, 0.6, 0.6, 0.6, 0.6],
      [0.17, 0.17, 0.17, 0.17, 0.95, 0.95],
    ]);
    expect(new Pursuit(experts).explain(Uint8Array.of(1, 1, 0, 0, 1, 1)).experts.toSorted()).toEqual([0, 2]);
  });
});

describe('a step of EM', () => {
  test('is eq. 3.1: of each column the rows count in which an expert is the most extreme', () => {
    const experts = expertsOf('max-minus-min', [
      [0.9, 0.9, 0.9, 0.5, 0.5],
      [0.5, 0.5, 0.6, 0.9, 0.9],
    ]);
    const rows = counted(['11111', '11111', '11100', '11000']);
    const explained = [0, 1, 2].map((row) => {
      const values = Uint8Array.from({ length: 5 }, (_, dim) => rows.distinct.get(row, dim));
      return new Pursuit(experts).explain(values).experts;
    });
    expect(explained).toEqual([[0, 1], [0], [0]]);
    const { experts: next } = stepOf(rows, experts)!;
    // columns 0 and 1: 4 of 4 rows; column 2: 3 of 4; columns 3 and 4: where no expert says anything the first is asked
    expect([...next.template(0)]).toEqual([5 / 6, 5 / 6, 4 / 6, 1 / 4, 1 / 4]);
    // columns 3 and 4: 2 of 2; of the others it is nowhere the most extreme
    expect([...next.template(1)]).toEqual([1 / 2, 1 / 2, 1 / 2, 3 / 4, 3 / 4]);
    expect([...next.active]).toEqual([5 / 6, 3 / 6]);
  });

  test('counts for the lowest opinion too, where it is below what silence says', () => {
    const { experts } = stepOf(counted(['01', '01']), expertsOf('max-minus-min', [[0.1, 0.9]]))!;
    expect([...experts.rates]).toEqual([1 / 4, 3 / 4]);
  });

  test('of log-odds climbs the likelihood of the rows as they are explained, and with one expert is eq. 3.1', () => {
    const rows = counted(['110', '110', '100', '111']);
    let experts = expertsOf('log-odds', [[0.6, 0.6, 0.4]]);
    for (let step = 0; step < 20; step++) experts = stepOf(rows, experts)!.experts;
    [5 / 6, 4 / 6, 2 / 6].forEach((rate, dim) => expect(experts.rates[dim]).toBeCloseTo(rate, 6));
  });

  test.each(['noisy-or', 'sum-of-odds', 'mean', 'normalized-sum'] as const)(
    'of %s finds the likeliest templates of rows as they are explained',
    (composition) => {
      const rows = counted(['1100', '1100', '1110', '0011', '0111', '1111', '1111', '0000']);
      const start = expertsOf(
        composition,
        [
          [0.8, 0.8, 0.3, 0.2],
          [0.2, 0.3, 0.8, 0.8],
        ],
        8,
      );
      const pursuit = new Pursuit(start);
      const values = new Uint8Array(4);
      const explained = Array.from({ length: rows.distinct.rows }, (_, row) => {
        rows.distinct.readRow(row, values);
        return pursuit.explain(values).experts;
      });
      /** What a step climbs: log P of the rows under the sets of experts that explained them, and the prior. */
      const climbed = (experts: Experts): number => {
        const composed = composedBy(experts);
        const nats = explained.reduce((sum, own, row) => {
          rows.distinct.readRow(row, values);
          composed.clear();
          for (const expert of own) composed.add(expert);
          return sum + rows.counts[row]! * composed.nats(values);
        }, 0);
        return nats + experts.rates.reduce((sum, p) => sum + Math.log(p) + Math.log(1 - p), 0);
      };
      const { experts } = stepOf(rows, start)!;
      const best = climbed(experts);
      expect(best).toBeGreaterThan(climbed(start));
      for (let at = 0; at < 8; at++)
        for (const change of [-0.01, 0.01]) {
          const moved = experts.rates[at]! + change;
          const rates = experts.rates.with(at, isAsymmetric(composition) ? Math.max(moved, start.abstaining) : moved);
          expect(climbed(new Experts({ ...experts.parts(), rates }))).toBeLessThan(best + 1e-6);
        }
    },
  );

  test('ends where it is cancelled', () => {
    expect(stepOf(counted(['10']), expertsOf('max', [[0.5, 0.5]]), () => true)).toBe(null);
  });
});

describe('the sequential start', () => {
  const learned = (rows: readonly string[], composition: Composition, experts: number): Experts =>
    startOf(counted(rows), { composition, experts, start: 'sequential' }, new RandomStream(1, Purpose.restart));

  test('makes the first expert of a row, and the second of what it does not explain of another', () => {
    const experts = learned(['111111', '111100'], 'max-minus-min', 2);
    const [two, one, none] = [2 / 3, 1 / 3, 1 / 2];
    // either row may come first
    const isAllFirst = experts.template(0)[5] === two;
    const last = isAllFirst ? [two, one] : [one, two];
    expect([...experts.template(0)]).toEqual([two, two, two, two, last[0], last[0]]);
    expect([...experts.template(1)]).toEqual([none, none, none, none, last[1], last[1]]);
  });

  test('of max keeps the background near 0, where the thesis as printed would not', () => {
    const second = learned(['1100', '1010'], 'max', 2).template(1);
    expect(second[0]).toBe(1 / 2);
    expect(second[3]).toBe(1 / 3);
  });

  test('leaves experts without a say where there are fewer rows that differ', () => {
    expect([...learned(['10', '10'], 'max-minus-min', 2).template(1)]).toEqual([0.5, 0.5]);
  });
});

/** The quadrants, black or white, of which an expert speaks, and of nothing else. */
function foundIn(experts: Experts): string[] {
  const found = new Set<string>();
  for (let expert = 0; expert < experts.count; expert++)
    for (let quadrant = 0; quadrant < 4; quadrant++) {
      const own = pixelsOf(quadrant);
      const template = experts.template(expert);
      const inside = own.reduce((sum, dim) => sum + template[dim]!, 0) / 9;
      const outside = (template.reduce((sum, rate) => sum + rate, 0) - 9 * inside) / 27;
      if (Math.abs(inside - 1 / 2) > 0.35 && Math.abs(outside - 1 / 2) < 0.1)
        found.add(`${String(quadrant)} ${inside > 1 / 2 ? 'black' : 'white'}`);
    }
  return [...found].sort();
}

test('of 100 synthetic images all eight experts are found, by the run of EM of eight that explains them best', () => {
  const train = counted(quadrants(100, 1));
  let best: Experts | null = null;
  let highest = -Infinity;
  for (let restart = 0; restart < 8; restart++) {
    const options = { composition: 'max-minus-min', experts: 8, start: 'sequential' } as const;
    let experts = startOf(train, options, new RandomStream(0, Purpose.restart, restart));
    let explained = -Infinity;
    for (let step = 0; step < 10; step++) ({ experts, explained } = stepOf(train, experts)!);
    if (explained > highest) [best, highest] = [experts, explained];
  }
  expect(foundIn(best!)).toEqual([0, 1, 2, 3].flatMap((at) => [`${String(at)} black`, `${String(at)} white`]));
  // 18 log 2 = 12.48 are what the images' own model leaves open; one that knows nothing has 36 log 2 = 24.95
  expect(-stepOf(counted(quadrants(1000, 2)), best!)!.explained / 1000).toBeLessThan(17);
});
