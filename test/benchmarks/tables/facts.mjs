// The variables of a network as JSON, with the step in which each column of numbers is written: kinds and cells for the
// peers.
import { readFileSync } from 'node:fs';
import { families } from '@orchard/registry';

const network = families.openModel(readFileSync(process.argv[2]));
const variables = network.table.variables.map((variable) => {
  if (variable.kind !== 'ordered') return variable;
  const { format, range } = variable;
  // the least distance of two values that are written differently: a day, or the last digit
  const step = format.type === 'date' ? 1 : Math.max(10 ** -format.places, (range[1] - range[0]) * 2 ** -20);
  return { ...variable, step };
});
console.log(JSON.stringify(variables));
