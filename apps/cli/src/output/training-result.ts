import { join } from 'node:path';
import { selectionMethods, summaryKeys, type TrainDocument } from '@orchard/contracts';
import { BITS_PER_NAT, bytes, count, duration, nats, table } from './figures.js';
import type { Terminal } from './terminal.js';

/** Tells people what a run gave: the selections, the network, and where things are. */
export function showTrainingResult(document: TrainDocument, directory: string, terminal: Terminal): void {
  const { selections, network, seconds, dataset } = document;
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
  const test = network.testLogLikelihood;
  const bits = (value: number): string => `${(-value * BITS_PER_NAT).toFixed(3)} bits`;
  terminal.result('');
  terminal.result(
    `network  ${network.path}  ${bytes(network.bytes)}, ${network.selection}${network.refit ? ', refitted' : ''}` +
      (test === null
        ? ''
        : `, test ${nats(test)} nats (${bits(test)}, ${((-test * BITS_PER_NAT) / dataset.dimensions).toFixed(4)} a dimension)`),
  );
  terminal.result(`report   ${join(directory, 'report.html')}`);
  terminal.result(`run      ${document.runId}, ${duration(seconds.total)}`);
}
