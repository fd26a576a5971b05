// The Python that tests of the package run in, with what they use. It knows no package of npm's: `.ci/run` has it made
// while those are installed.
import { oneAtATime } from '../../infra/one-at-a-time.mjs';
import { compiling, drawing, learning, pythonWith } from '../benchmarks/peers/environment.mjs';

/** Complete. */
const pins = [
  'pandas==3.1.1',
  'pytest==9.2.0',
  'msgpack==1.2.4',
  'iniconfig==2.3.1',
  'pluggy==1.7.0',
  'Pygments==2.21.0',
  'pyarrow==26.0.1',
  'polars==2.1.0',
  'polars-runtime-32==2.1.0',
  'duckdb==2.0.0',
  ...learning,
  ...compiling,
  ...drawing,
];

/**
 * One at a time: files of tests that begin at once would each install it, and remove what the other has.
 *
 * @param {(line: string) => void} say
 * @returns {Promise<string>}
 */
export async function pythonOfTests(say) {
  let python = '';
  const install = () => {
    python = pythonWith(pins, say);
    return Promise.resolve();
  };
  await oneAtATime(`Python with ${pins.join()}`, install, () => undefined);
  return python;
}
