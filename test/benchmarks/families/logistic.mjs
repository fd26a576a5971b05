/** From 32 to 1, by the root of 2 as sparn's usual path. */
const PENALTIES = Array.from({ length: 11 }, (_, at) => 2 ** (5 - at / 2));
const INTERCEPT_SCALING = 10;

/** L1-penalised logistic regressions, which sparn is made of, beside liblinear. */
export const logistic = {
  name: 'logistic',
  what: `L1-penalised logistic regressions of the last column that varies on those before it for λ of 32, 22.6, 16 … 1, from rows in memory, beside scikit-learn's liblinear`,
  peer: 'liblinear',
  script: 'logistic.py',
  unit: 'penalised nats per row, mean over λ',
  digits: 6,
  slack: 1e-4,
  /** @returns {Promise<import('./learner.mjs').Learning>} */
  async serve(train) {
    const { readDataset } = await import('../../../libs/core/dataset/dist/index.js');
    const { attachSorted, designOf, fitPath, lossOf, sortRows } =
      await import('../../../libs/learning/logistic/dist/index.js');
    const rows = await readDataset(train);
    const target = [...rows.columnCounts()].findLastIndex((ones) => ones > 0 && ones < rows.rows);
    const learn = () => {
      const design = designOf(attachSorted(sortRows(rows)), target);
      return { design, path: [...fitPath(design, PENALTIES, { interceptScaling: INTERCEPT_SCALING })] };
    };
    const valueOf = ({ design, path }) => {
      const costs = path.map((own, at) => {
        const size = own.weights.reduce(
          (sum, weight) => sum + Math.abs(weight),
          Math.abs(own.intercept) / INTERCEPT_SCALING,
        );
        return lossOf(design, own) + PENALTIES[at] * size;
      });
      return -costs.reduce((sum, cost) => sum + cost, 0) / costs.length / rows.rows;
    };
    return { learn, valueOf };
  },
};
