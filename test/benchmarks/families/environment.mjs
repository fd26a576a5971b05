// The Python environment of the peers, in the versions that are compared.
import { pythonWith } from '../peers/environment.mjs';

/** Complete: nothing else is resolved or installed. */
const pins = [
  'pyAgrum==3.3.1',
  'stepmix==3.0.0',
  'scikit-learn==1.9.1',
  'numpy==2.4.6',
  'scipy==1.17.1',
  'pandas==2.3.3',
  'cloudpickle==3.1.2',
  'joblib==1.6.0',
  'narwhals==2.29.0',
  'threadpoolctl==3.8.0',
  'tqdm==4.70.1',
  'python-dateutil==4.0.0',
  'pytz==2026.6',
  'tzdata==2026.6',
  'pydot==4.0.1',
  'pyparsing==3.3.3',
  'matplotlib==3.11.2',
  'contourpy==1.3.3',
  'cycler==0.12.1',
  'fonttools==4.68.0',
  'kiwisolver==1.5.1',
  'packaging==26.3',
  'pillow==13.0.0',
];

/** The Python of the peers: that of ORCHARD_BENCH_PYTHON, or an environment of the benchmark's own. */
export function familiesPython(say) {
  return process.env.ORCHARD_BENCH_PYTHON || pythonWith(pins, say);
}
