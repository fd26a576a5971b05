import { afterAll, beforeAll, describe, it } from 'vitest';
import { installWheel, isTherePython, parts, passesPytest, PATIENCE, removeWheel, type Installation } from './wheel.js';

describe.skipIf(!isTherePython)('estimators of orchard-density (skipped without Python)', PATIENCE, () => {
  let installed: Installation | undefined;

  beforeAll(async () => {
    installed = await installWheel();
  }, PATIENCE.timeout);
  afterAll(() => removeWheel(installed));

  it('pass their own tests beside scikit-learn and pandas', async (context) => {
    await passesPytest(installed!, context, parts.others);
  });

  it('pass those of all parts that take long', { tags: 'nightly' }, async (context) => {
    await passesPytest(installed!, context, parts.all, ['-m', 'nightly']);
  });
});
