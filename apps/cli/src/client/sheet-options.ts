import { priorities } from '@orchard/contracts';
import { headings } from '../options/help-places.js';
import { UsageError } from '../output/errors.js';
import { shortName } from '../rows/split-sources.js';
import { oneOf, repeatedly } from '../options/values.js';
import { option, under } from '../options/option.js';

const longestName = 200;

/** What a submission says for people. */
export const sheetOptions = () =>
  under(headings.run, [
    option('--name <name>', 'what the run is called in lists, pages and its report (default: the name of the file)'),
    option('--label <key=value>', 'a label to find the run by; may be given several times', repeatedly()),
    option('--priority <priority>', 'within your share: high (needs the role admin), normal or low', oneOf(priorities)),
    option('--notify <url>', 'an address to notify of the end of the run, signed; the coordinator has to allow it'),
  ]);

/** The name of a file as a run may have it; null of standard input. */
export function nameOfFile(file: string): string | null {
  const name = (shortName(file) ?? '').replace(/\p{C}/gu, ' ').trim();
  return name === '' ? null : name.slice(0, longestName);
}

/** @param given each `key=value` */
export function labelsOf(given: readonly string[]): Readonly<Record<string, string>> {
  const labels = new Map<string, string>();
  for (const text of given) {
    const at = text.indexOf('=');
    const key = text.slice(0, at);
    if (at < 1 || labels.has(key)) {
      const got = at < 1 ? JSON.stringify(text) : `the key ${JSON.stringify(key)} twice`;
      throw new UsageError({
        got,
        expected: 'key=value, each key once',
        where: '--label',
        remedy: 'Correct the option.',
      });
    }
    labels.set(key, text.slice(at + 1));
  }
  return Object.fromEntries(labels);
}
