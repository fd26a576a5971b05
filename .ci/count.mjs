// Prints the closing line from the runner's own report: `N passed, N failed[, N skipped]`; failed checks before the
// tests count as failures. What `npm run nightly` runs is said on a line of its own, and is not what was skipped here.
import { existsSync, readFileSync } from 'node:fs';

const [report, failedSteps = '0'] = process.argv.slice(2);
const results = existsSync(report)
  ? JSON.parse(readFileSync(report, 'utf8'))
  : { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0 };
const brokenFiles = (results.testResults ?? []).filter(
  (file) => file.status === 'failed' && file.assertionResults.length === 0,
).length;
const failed = results.numFailedTests + brokenFiles + Number(failedSteps);
const tests = (results.testResults ?? []).flatMap((file) => file.assertionResults);
const left = tests.filter(({ status, tags }) => status === 'skipped' && tags?.includes('nightly')).length;
// those of Python's suite are tests of pytest, and one here
const leftOfPython = tests.reduce((sum, { meta }) => sum + (meta?.leftToNightly ?? 0), 0);
const without = results.numPendingTests - left;
const skipped = without > 0 ? `, ${without} skipped` : '';
const ofPython = leftOfPython > 0 ? `, and ${leftOfPython} of Python's suite` : '';
console.log(`${left} tests are those of npm run nightly${ofPython}`);
console.log(`${results.numPassedTests} passed, ${failed} failed${skipped}`);
