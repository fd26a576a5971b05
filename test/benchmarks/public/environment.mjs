// The Python environments of what fills in missing values and of what predicts one column, in the versions that are
// compared.
import { compiling, drawing, learning, olderPandas, pythonWith } from '../peers/environment.mjs';

/** Complete: nothing else is resolved or installed. miceforest 6 does not run with LightGBM from 4.6 on. */
const filling = [
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

/** NGBoost imports lifelines, and that one draws; it runs with no later scikit-learn. */
const predicting = [
  'ngboost==0.6.0',
  'quantile-forest==1.4.2',
  'catboost==1.2.10',
  'lightgbm==4.7.0',
  'vega_datasets==0.9.0',
  'lifelines==0.30.3',
  'autograd==1.9.1',
  'autograd-gamma==0.5.0',
  'formulaic==1.2.2',
  'interface_meta==2.0.1',
  'wrapt==2.5.2',
  'typing_extensions==4.16.0',
  'sympy==1.14.0',
  'mpmath==1.3.0',
  'six==1.17.0',
  'graphviz==0.21',
  'plotly==7.1.0',
  ...learning.filter((pin) => !pin.startsWith('scikit-learn')),
  'scikit-learn==1.6.1',
  ...olderPandas,
  ...drawing,
];

export function fillingPython(say) {
  return pythonWith(filling, say);
}

export function predictingPython(say) {
  return pythonWith(predicting, say);
}
