// Makes visits.csv, new-visits.csv and visits-errors.csv beside it anew, the same bytes: hospital visits with planted
// errors, by src/demo/visits.ts. After a build: node apps/cli/examples/make-visits.mjs
import { writeFileSync } from 'node:fs';
import { errorsCsv, visits, visitsCsv, withErrors } from '../dist/demo/visits.js';

const SEED = 1;
const ROWS = 900;
const NEW_ROWS = 150;

const write = (name, text) => writeFileSync(new URL(name, import.meta.url), text);
const { rows, errors } = withErrors(visits(ROWS, SEED), 2);
write('visits.csv', visitsCsv(rows));
write('visits-errors.csv', errorsCsv(errors));
write('new-visits.csv', visitsCsv(withErrors(visits(NEW_ROWS, SEED, ROWS), 1).rows));
