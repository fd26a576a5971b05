/** Trees of Chow and Liu beside pyAgrum. */
export const chowLiu = {
  name: 'chow-liu',
  what: 'the tree of Chow and Liu from rows in memory, beside pyAgrum',
  peer: 'pyAgrum',
  script: 'chow_liu.py',
  unit: 'test nats',
  digits: 4,
  slack: 0.02,
  /** @returns {Promise<import('./learner.mjs').Learning>} */
  async serve(train, _, test) {
    const { readDataset } = await import('../../../libs/core/dataset/dist/index.js');
    const { countPairs, SmoothedPairs } = await import('../../../libs/learning/forests/dist/index.js');
    const { chowLiuForest } = await import('../../../libs/learning/forests/dist/index.js');
    const { ChowLiu } = await import('../../../libs/families/chow-liu/dist/index.js');
    const [rows, held] = [await readDataset(train), await readDataset(test)];
    const { dimensions } = rows;
    const columns = Uint32Array.from({ length: dimensions }, (_, column) => column);
    const likelihoods = { train: null, valid: null, test: null };
    return {
      learn: () => chowLiuForest(new SmoothedPairs(countPairs(rows), 1), columns),
      valueOf: (made) => {
        const model = new ChowLiu({ dimensions, names: null, shape: null, specification: null, likelihoods, ...made });
        return model.logLikelihood(held).reduce((sum, nats) => sum + nats, 0) / held.rows;
      },
    };
  },
};
