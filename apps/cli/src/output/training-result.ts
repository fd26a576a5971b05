import { join } from 'node:path';
import { selectionMethods, summaryKeys, summarySchema, type Summary } from '@orchard/contracts';
import { BITS_PER_NAT, bytes, count, duration, nats, table } from './figures.js';
import type { ModelDocument } from '../run-directory.js';
import type { Terminal } from './terminal.js';

/** Tells people what a run gave: the selections, the network, and where things are. */
export function showTrainingResult(document: ModelDocument, directory: string, terminal: Terminal): void {
  const {
    seconds: { total },
    ...summary
  } = document;
  const selected = summarySchema.safeParse(summary);
  if (selected.success) showSelections(selected.data, terminal);
  const { network, dataset } = document;
  const test = network.testLogLikelihood;
  const bits = (value: number): string => `${(-value * BITS_PER_NAT).toFixed(3)} bits`;
  const { selection, refit } = network as { readonly selection?: string; readonly refit?: boolean };
  const chosen = selection === undefined ? '' : `, ${selection}${refit === true ? ', refitted' : ''}`;
  terminal.result(
    `network  ${network.path}  ${bytes(network.bytes)}${chosen}` +
      (test === null
        ? ''
        : `, test ${nats(test)} nats (${bits(test)}, ${((-test * BITS_PER_NAT) / dataset.dimensions).toFixed(4)} a dimension)`),
  );
  terminal.result(`report   ${join(directory, 'report.html')}`);
  terminal.result(`run      ${document.runId}, ${duration(total)}`);
}

/** What each way to choose the rounds gave; a star marks the one of this network. */
function showSelections({ selections, network, dataset }: Summary, terminal: Terminal): void {
  const figure = (value: number | null | undefined): string => (typeof value === 'number' ? nats(value) : '-');
  const hasTest = dataset.rows.test !== null;
  const rows = selectionMethods.map((method) => {
    const { trees, trainLogLikelihood, validLogLikelihood, testLogLikelihood, refit } = selections[summaryKeys[method]];
    const mark = method === network.selection ? '*' : ' ';
    return [
      `${mark} ${method}`,
      count(trees),
      figure(trainLogLikelihood),
      `${figure(validLogLikelihood)}${method === 'individual' ? '!' : ' '}`,
      figure(testLogLikelihood),
      figure(refit?.testLogLikelihood),
    ];
  });
  terminal.result(table(['  nats a row', 'trees', 'train', 'valid ', 'test', 'test, refitted'], rows));
  terminal.result(
    '* this network. All four were chosen on the validation rows, so likelihoods there are a little too good;\n' +
      '! is much too good: each dimension chose for itself. It may not be compared with the others.' +
      (hasTest ? ' Compare on the test rows.' : ' Fresh rows can tell.'),
  );
  terminal.result('');
}
