/**
 * Mixtures of products by EM beside StepMix: as many components and at most as many steps. Each repetition of both
 * begins anew from other rows.
 */
export const mixture = {
  name: 'mixture',
  what: 'a mixture of 32 products by 20 steps of EM from rows in memory (ours ends sooner where the validation rows want no more), beside StepMix',
  peer: 'StepMix',
  script: 'mixture.py',
  unit: 'test nats',
  digits: 3,
  slack: 0.02,
  /** @returns {Promise<import('./learner.mjs').Learning>} */
  async serve(...files) {
    const { attachRows, readDataset, shareRows } = await import('../../../libs/core/dataset/dist/index.js');
    const { Purpose, RandomStream } = await import('../../../libs/core/numerics/dist/index.js');
    const { learnProducts } = await import('../../../libs/learning/em/dist/index.js');
    const { ForestMixtureModel, mixtureOfProducts } = await import('../../../libs/families/mixture/dist/index.js');
    const [train, valid, held] = await Promise.all(files.map((file) => readDataset(file)));
    const { dimensions } = train;
    const options = { components: 32, pulled: { pseudoCount: 1 }, steps: 20 };
    let seed = 0;
    return {
      learn: () => {
        const [rows, choosing] = [train, valid].map((matrix) => attachRows(shareRows(matrix)));
        return learnProducts(rows, choosing, options, new RandomStream(seed++, Purpose.restart, 0));
      },
      valueOf: ({ products: { weights, rates } }) => {
        const likelihoods = { train: null, valid: null, test: null };
        const head = { dimensions, names: null, shape: null, specification: null, likelihoods };
        const model = new ForestMixtureModel(head, mixtureOfProducts(weights, dimensions, rates));
        return model.logLikelihood(held).reduce((sum, nats) => sum + nats, 0) / held.rows;
      },
    };
  },
};
