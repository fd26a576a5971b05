// node test/packages/install-python.mjs: makes the Python of the tests, if it is not there, and has it keep the bytecode of
// what they import, or every start would compile pandas and scikit-learn anew.
import { execFileSync } from 'node:child_process';
import { pythonOfTests } from './python-of-tests.mjs';

const imported = 'duckdb, matplotlib.pyplot, numba, pandas, polars, pyarrow, pytest, sklearn.utils.estimator_checks';
const python = await pythonOfTests(console.error);
// empty is as if it were not set
const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '' };
execFileSync(python, ['-c', `import ${imported}`], { env, stdio: 'inherit' });
console.log(python);
