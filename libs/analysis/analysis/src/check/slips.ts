import type { Variable } from '@orchard/contracts';
import { editDistance, otherCode, trainingCounts } from '@orchard/dataset';
import { log, sumOf } from '@orchard/numerics';

/** How many times as often as its misspelling a label comes, at least. */
const FAR_LIKELIER = 10;

/** Letters of a label of which one may differ. */
const LETTERS_A_SLIP = 5;

/** Characters of texts that are compared: it takes the square of them. */
const LONGEST = 256;

const lettersOf = (text: string): number => [...text.matchAll(/\p{L}/gu)].length;
const digitsOf = (text: string): string => text.replace(/\P{Nd}/gu, '');
/** Words that are names by themselves: one letter, as of `hall B`, and Roman numbers. */
const signsOf = (text: string): string => (text.match(/(?<!\p{L})(?:\p{L}|[ivx]+)(?!\p{L})/giu) ?? []).join(' ');

/**
 * Whether a label may be a misspelling by its digits: those that differ are other numbers more often than slips, but a
 * letter may stand for one.
 */
export function haveLikeDigits(text: string, label: string): boolean {
  const [own, other] = [digitsOf(text), digitsOf(label)];
  const missing = other.length - own.length;
  return own === other || (missing > 0 && missing === lettersOf(text) - lettersOf(label));
}

/** Whether a text is so close to a label that it may be a misspelling of it: within a third of its length. */
export function isLike(text: string, label: string): boolean {
  const most = Math.floor(text.length / 3);
  if (text.length > LONGEST || Math.abs(text.length - label.length) > most) return false;
  if (lettersOf(text) === 0 || !haveLikeDigits(text, label)) return false;
  return editDistance(text.toLowerCase(), label.toLowerCase()) <= most;
}

/**
 * Whether a text is a label but for one letter in five: replaced, missing, too many, or swapped with its neighbour. Of
 * more than one the lengths are equal, since a part that is added has a meaning, as of `unregistered`.
 */
export function isSlipOf(text: string, label: string): boolean {
  const most = Math.floor(lettersOf(label) / LETTERS_A_SLIP);
  if (most === 0 || Math.abs(text.length - label.length) > 1 || text === label) return false;
  if (!haveLikeDigits(text, label) || signsOf(text) !== signsOf(label)) return false;
  const distance = editDistance(text.toLowerCase(), label.toLowerCase());
  return distance <= 1 || (distance <= most && text.length === label.length);
}

interface CellLabel {
  readonly code: number;
  /** Whether the model has learned from rows with that code. */
  readonly isKnown: boolean;
  readonly text: () => string | null;
  /** The likeliest code given the rest of the row. */
  readonly likeliest: number;
}

/** What is known of a column's labels that come rarely. */
export interface RareLabels {
  /**
   * How a label surprises that may come once alone: where many labels do, one more is nothing special, unless it looks
   * like the one that is expected.
   *
   * @param nats how it surprises as a label that the model has not seen
   */
  surpriseOf(nats: number, cell: CellLabel): number;
  /** Whether one code's label is probably a slip of another's, far likelier one. */
  isSlip(code: number, of: number): boolean;
  /** The commonest label that a text is probably a slip of: far likelier than the text; null where there is none. */
  slipOf(text: string): string | null;
}

/** Null of a column without labels. */
export function rareLabels(variable: Variable): RareLabels | null {
  if (variable.kind === 'ordered') return null;
  const counts = trainingCounts(variable);
  const { labels } = variable;
  const slips = labels.map((label, code) => {
    const likelier = labels.filter((_, of) => counts[of]! >= FAR_LIKELIER * counts[code]!);
    return new Set(likelier.filter((other) => isSlipOf(label, other)));
  });
  const rows = sumOf(counts);
  // labels that come once because they are misspelt do not make others usual
  const once = slips.filter(({ size }, code) => size === 0 && counts[code] === 1).length + (variable.others ?? 0);
  const natsOfOne = log((rows + 1) / (once + 1));
  return {
    surpriseOf(nats, { code, isKnown, text, likeliest }) {
      if (nats <= natsOfOne || isKnown || (code >= labels.length && code !== otherCode(variable))) return nats;
      const [own, expected] = [text(), labels[likeliest]];
      return own === null || (expected !== undefined && isLike(own, expected)) ? nats : natsOfOne;
    },
    isSlip: (code, of) => slips[code]?.has(labels[of] ?? '') ?? false,
    slipOf(text) {
      let [found, count]: [string | null, number] = [null, FAR_LIKELIER * (counts[labels.indexOf(text)] ?? 1)];
      for (const [code, label] of labels.entries())
        if (counts[code]! >= count && isSlipOf(text, label)) {
          found = label;
          count = counts[code]!;
        }
      return found;
    },
  };
}
