import { describe, expect, it } from 'vitest';

// the benchmark is plain JavaScript, so that it runs without a build of its own
const load = async <T>(file: string): Promise<T> => (await import(new URL(file, import.meta.url).href)) as T;
const { ranksOf, report } = await load<{ ranksOf(values: number[]): number[]; report(measured: unknown): string }>(
  './report.mjs',
);

const loads = [1, 2];
const figures = (auroc: number) => ({ auroc, precision: auroc / 2, seconds: 1 });
const run = (set: string, seed: number, ours: number, theirs: number) => {
  const found = { knn: figures(theirs), orchard: figures(ours) };
  return { set, seed, load: loads, semi: found, unsupervised: found };
};

/** The report without what makes its columns equally wide. */
const reported = (figures: Parameters<typeof report>[0]): string => report(figures).replace(/ +/g, ' ');

describe('the report of the public benchmarks', () => {
  it('ranks the highest first, and equal ones alike', () => {
    expect(ranksOf([0.5, 0.9, 0.5, 0.7])).toEqual([3.5, 1, 3.5, 2]);
  });

  it('keeps the sets that choose apart from those that are quoted', () => {
    const text = reported({ anomalies: [run('glass', 1, 0.9, 0.8), run('a', 1, 0.6, 0.9)] });
    expect(text).toContain('| **mean, sets that choose** | **0.900** | **0.800** |');
    expect(text).toContain('| **mean, sets that are quoted** | **0.600** | **0.900** |');
    expect(text).toContain('| mean rank, sets that are quoted | 2.00 | 1.00 |');
  });

  it('has a line for each set, of the mean over seeds, then mean and mean rank over sets', () => {
    const text = reported({ anomalies: [run('a', 1, 0.9, 0.8), run('a', 2, 0.7, 0.8), run('b', 1, 0.6, 0.9)] });
    expect(text).toContain('| a | 0.800 | 0.800 |');
    expect(text).toContain('| b | 0.600 | 0.900 |');
    expect(text).toContain('| **mean, sets that are quoted** | **0.700** | **0.850** |');
    expect(text).not.toContain('sets that choose');
    expect(text).toContain('| mean rank, sets that are quoted | 1.75 | 1.25 |');
    expect(text).toContain('Means over 2 seeds');
  });

  it('has the best and the mean error of each method that fills', () => {
    const fills = { draws: { MinMAE: 0.1, AvgMAE: 0.2, seconds: 1 } };
    const text = reported({ missing: [{ set: 'iris', seed: 1, load: loads, figures: fills }] });
    expect(text).toContain('| iris | 0.100 | 0.200 |');
  });

  it('has what was found of wrong cells, and what is reported of the clean table', () => {
    const of = { wrong: 40, found: 50, precision: 0.6, recall: 0.75, f1: 2 / 3, first100: 0.6, alarms: 7, seconds: 2 };
    const text = reported({ cells: [{ set: 'hospital', seed: 1, load: loads, ...of }] });
    expect(text).toContain('| hospital, 40 | 50 | 0.600 | 0.750 | 0.667 | 0.600 | 7 | 2.0 |');
  });

  it('prints where a model of a tenth of the time, or four members, are ahead by more than a standard error', () => {
    const of = (more: number, seconds: number) => ({ nats: more - 20, more, error: 0.1, seconds });
    const run = (set: string, figures: object) => ({ set, seed: 1, load: loads, rows: 400, figures });
    const fine = { default: of(0, 10), 'four members': of(0.05, 40), 'chow-liu': of(-1, 0.5), marginals: of(0.3, 5) };
    expect(reported({ 'never-behind': [run('cars', fine)] })).toContain('The default is behind on no table.');
    const text = reported({ 'never-behind': [run('cars', { ...fine, 'chow-liu': of(0.4, 0.5) })] });
    expect(text).toContain('| cars, 400 | -20.000; 10.0 | -19.950; 40.0 | -19.600; 0.5 |');
    expect(text).toContain('behind on cars: chow-liu has 0.400 nats per row more (± 0.100), 0.5 s');
    const members = reported({ 'never-behind': [run('cars', { ...fine, 'four members': of(0.2, 40) })] });
    expect(members).toContain('behind on cars: four members');
    // a copula is of some tables alone
    const copula = [run('wine', { ...fine, copula: of(-2, 0.1) }), run('cars', fine)];
    expect(reported({ 'never-behind': copula })).toContain('5.0 | - |');
  });

  it('has the scores of one column, labels and numbers apart', () => {
    const labels = { orchard: { logLoss: 0.1, brier: 0.05, accuracy: 0.9, seconds: 2 } };
    const numbers = {
      orchard: { crps: 1.5, logScore: -2, seconds: 2 },
      forest: { crps: 1.25, seconds: 1 },
    };
    const runs = [
      { set: 'iris', seed: 1, train: 105, load: loads, figures: labels },
      { set: 'cars-miles', seed: 1, train: 278, load: loads, figures: numbers },
    ];
    const text = reported({ 'one-column': runs });
    expect(text).toContain('| iris, 105 | 0.100, 0.050, 0.900; 2.0 |');
    // no density, no log score
    expect(text).toContain('| cars-miles, 278 | 1.500, -2.000; 2.0 | 1.250, -; 1.0 |');
  });

  it('has the errors of numbers of each method, and their means over sets', () => {
    const of = (NRMSE: number) => ({ ours: { NRMSE, NMAE: NRMSE / 2, seconds: 3 } });
    const runs = ['wine', 'cars'].map((set, at) => ({ set, seed: 1, load: loads, figures: of(at + 0.5) }));
    const text = reported({ 'imputation-of-numbers': runs });
    expect(text).toContain('| wine | 0.500 |');
    expect(text).toContain('| **mean** | **1.000** |');
    expect(text).toContain('| **mean** | **0.500** |');
    expect(text).toContain('| processor s per set | 3.0 |');
  });
});
