// The Python environment of the peers, in the versions that are compared.
import { drawing, learning, olderPandas, pythonWith } from '../peers/environment.mjs';

/** Complete: nothing else is resolved or installed. */
const pins = ['pyAgrum==3.3.1', 'stepmix==3.0.0', 'pydot==4.0.1', ...learning, ...olderPandas, ...drawing];

/** The Python of the peers: that of ORCHARD_BENCH_PYTHON, or an environment of the benchmark's own. */
export function familiesPython(say) {
  return process.env.ORCHARD_BENCH_PYTHON || pythonWith(pins, say);
}
