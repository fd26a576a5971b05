// The Python environment of what fills in missing values, in the versions that are compared. miceforest 6 does not run
// with LightGBM from 4.6 on.
import { pythonWith } from '../peers/environment.mjs';

/** Complete: nothing else is resolved or installed. */
const pins = [
  'scikit-learn==1.9.1',
  'utrees==0.3.0',
  'miceforest==6.0.5',
  'lightgbm==4.5.0',
  'xgboost==3.2.0',
  'cloudpickle==3.1.2',
  'joblib==1.6.0',
  'kditransform==1.2.0',
  'llvmlite==0.50.0',
  'narwhals==2.29.0',
  'numba==0.68.1',
  'numpy==2.4.6',
  'pandas==2.3.3',
  'python-dateutil==4.0.0',
  'pytz==2026.6',
  'scipy==1.17.1',
  'threadpoolctl==3.8.0',
  'tqdm==4.70.1',
  'tzdata==2026.6',
];

export function fillingPython(say) {
  return pythonWith(pins, say);
}
