// The Python environment of what fills in missing values, in the versions that are compared. miceforest 6 does not run
// with LightGBM from 4.6 on.
import { compiling, learning, olderPandas, pythonWith } from '../peers/environment.mjs';

/** Complete: nothing else is resolved or installed. */
const pins = [
  'utrees==0.3.0',
  'miceforest==6.0.5',
  'lightgbm==4.5.0',
  'xgboost==3.2.0',
  'kditransform==1.2.0',
  // tables that lie in the package
  'vega_datasets==0.9.0',
  ...learning,
  ...compiling,
  ...olderPandas,
];

export function fillingPython(say) {
  return pythonWith(pins, say);
}
