import { section } from '../section.js';
import { formatNatsGain, formatShare } from '../text.js';
import type { RowsFacts } from './table-facts.js';

/** Whether the samples are copies: short, as `orchard judge` measures it on any rows. */
export function copiesSection({ copies, heldOut }: RowsFacts): string {
  const { ofDraws, ofHeldOut, gap } = copies;
  const lines = [
    ['sampled rows that equal a training row', formatShare(ofDraws)],
    [`${heldOut} rows that do`, formatShare(ofHeldOut)],
    ...(gap === null
      ? []
      : [[`nats per row that training rows are likelier than ${heldOut} rows`, formatNatsGain(gap)]]),
  ];
  const items = lines.map(([name, value]) => `<li>${name!}: ${value!}</li>`).join('');
  return section(
    'Are the samples copies?',
    'Good samples equal training rows no more often than held-out rows do; values that share a bin count as equal. ' +
      'Where training rows are much likelier, the model knows them by heart. <code>orchard judge</code> measures more.',
    `<ul>${items}</ul>`,
  );
}
