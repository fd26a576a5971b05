// Prints the closing line from the runner's own report: `N passed, N failed[, N skipped]`; failed checks before the
// tests count as failures.
import { existsSync, readFileSync } from 'node:fs';

const [report, failedSteps = '0'] = process.argv.slice(2);
const results = existsSync(report)
  ? JSON.parse(readFileSync(report, 'utf8'))
  : { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0 };
const brokenFiles = (results.testResults ?? []).filter(
  (file) => file.status === 'failed' && file.assertionResults.length === 0,
).length;
const failed = results.numFailedTests + brokenFiles + Number(failedSteps);
const skipped = results.numPendingTests > 0 ? `, ${results.numPendingTests} skipped` : '';
console.log(`${results.numPassedTests} passed, ${failed} failed${skipped}`);
