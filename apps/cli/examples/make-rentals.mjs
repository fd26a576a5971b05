// Makes rentals.csv and new-rentals.csv beside it anew, the same bytes: rentals of the table of `orchard demo --table`,
// whose rules are in src/commands/demo/rentals.ts; among the new ones are the three odd ones of the demo. After a build: node
// apps/cli/examples/make-rentals.mjs
import { writeFileSync } from 'node:fs';
import { withOddRentals } from '../dist/commands/demo/odd-rentals.js';
import { rentals, rentalsCsv } from '../dist/commands/demo/rentals.js';

const SEED = 1;
const ROWS = 1000;
const NEW_ROWS = 47;

const write = (name, rows) => writeFileSync(new URL(name, import.meta.url), rentalsCsv(rows));
write('rentals.csv', rentals(ROWS, SEED));
write('new-rentals.csv', withOddRentals(rentals(NEW_ROWS, SEED, ROWS)).rows);
