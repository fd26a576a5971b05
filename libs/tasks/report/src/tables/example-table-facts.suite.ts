import type { MarginalFacts, TableFacts, VariableFacts } from './table-facts.js';

/** Names that would break a page that trusted them, and plain ones. */
export const oddNames = [
  '<script>alert(1)</script>',
  '"quoted" & \'so\'',
  'x'.repeat(300),
  '👩‍👩‍👧 family',
  ' ',
  'two\nlines\0',
  '</style><b>',
  'plain',
];

/** Facts of a table that was never trained: what a page must be able to show. */
export function exampleTableFacts(changes: Partial<TableFacts> = {}): TableFacts {
  const names = oddNames;
  const size = names.length;
  const variables = names.map((name, position): VariableFacts => {
    const isDensity = position % 3 === 2;
    return {
      name,
      kind: isDensity ? 'ordered' : 'categorical',
      measure: isDensity ? 'density' : 'mass',
      unit: isDensity ? `unit of ${name}` : null,
      scale: null,
      values: isDensity ? ['-1.50', '3e5'] : ['', ' ', '<i>a</i>', ...names],
      steps: isDensity ? 'in steps of 25' : null,
      count: isDensity ? 40 : 300,
      holes: position,
      position,
      loss: isDensity ? -0.5 : 0.5 + position / 10,
      ownLoss: isDensity ? 0.1 : 0.9 + position / 20,
      ownCodeLoss: 1.2,
      gainError: position === 4 ? 1 : 0.01,
    };
  });
  const marginals = names.map((name, at): MarginalFacts => ({
    name,
    chart:
      at % 3 === 2
        ? {
            type: 'histogram',
            format: { type: 'number', decimals: 1, places: 1, padded: true },
            from: -0.05,
            width: 0.1,
            data: [0.2, 0.5, 0.25],
            draws: [0.25, 0.4, 0.3],
            below: { data: 0, draws: 0 },
            above: { data: 0.05, draws: 0.05 },
          }
        : {
            type: 'labels',
            bars: ['', ' ', '<i>a</i>', ...names].map((label, place) => ({ label, data: place / 100, draws: 0.05 })),
            rest: { labels: 200, data: 0.3, draws: 0.2 },
          },
    holes: at === 0 ? { data: 0.1, draws: 0.2 } : null,
    difference: 0.04,
    byChance: 0.02,
  }));
  const strengths = Array.from({ length: size * size }, (_, at) => ((at * 7) % 10) / 10);
  const pairs = [{ one: names[0]!, other: names[2]!, data: 0.9, draws: 0.7, nats: 0.8 }];
  return {
    family: 'tables',
    title: null,
    sources: [],
    runId: 'a'.repeat(64),
    sha256: 'b'.repeat(64),
    settings: [['ordering', names[0]!]],
    warnings: [`The same in all training rows: “${names[0]!}”.`],
    rows: { train: 12_000, valid: 500, test: 600 },
    heldOut: 'test',
    chosenByValidation: { what: 'the rounds', isBeforeRefit: true },
    variables,
    leftOut: names.map((name) => ({ name: `left ${name}`, why: '<b>names</b>' })),
    marginals: { draws: 5000, seed: 0, shown: marginals },
    associations: {
      names,
      compared: size,
      groups: 16,
      data: strengths,
      draws: strengths.map((strength) => strength / 2),
      rows: { data: 5000, draws: 5000 },
      strongest: pairs,
      missed: pairs,
      scatters: [
        {
          x: { type: 'labels', name: names[0]!, bands: ['', ' ', '<i>a</i>', names[2]!, null] },
          y: {
            type: 'scale',
            name: names[2]!,
            format: { type: 'number', decimals: 1, places: 1, padded: true },
            ...{ from: -2, to: 30, missing: -5 },
          },
          data: Array.from({ length: 40 }, (_, at) => [at % 5, at % 7 === 0 ? -5 : at % 30] as const),
          draws: Array.from({ length: 40 }, (_, at) => [(at * 3) % 5, at % 30] as const),
          rows: 40,
        },
      ],
    },
    importance: names.slice(1, 5).map((name, at) => ({
      name,
      gain: 2 / (at + 1),
      predictors: names.slice(5, 5 + at).map((own, rank) => ({ name: own, share: 0.3, beyondNoise: rank === 0 })),
    })),
    copies: { ofDraws: 0.01, ofHeldOut: 0.012, gap: 0.4 },
    draws: { seed: 0, columns: names, rows: [names, names.map(() => null), names.map(() => '')] },
    oddRows: {
      rows: 600,
      of: 600,
      mean: -4,
      shown: [
        {
          row: 17,
          score: 14,
          nats: -19,
          reasons: names.slice(0, 3).map((name) => ({
            name,
            value: name,
            probability: 1e-5,
            ownRate: 0.2,
            surprise: 9,
            expected: names.map((value) => ({ value, probability: 0.3 })),
          })),
          cells: names.map((name) => [name, name] as const),
        },
      ],
    },
    ...changes,
  };
}
