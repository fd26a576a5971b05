import { escapeHtml } from '../text.js';

const LONGEST = 48;

/**
 * Text of the user's file, its middle cut out where it is long (the cut is shown): names often begin alike, and differ
 * at their ends. Control characters are shown as signs: plain text.
 */
export function shortened(text: string, longest: number = LONGEST): string {
  // by characters, not by halves of them; of what is much longer than that the two ends are enough
  const first = Array.from(text.slice(0, longest * 4));
  const isLong = first.length > longest || text.length > longest * 4;
  const fromEnd = Math.floor((longest - 1) / 2);
  const last = Array.from(text.slice(-longest * 4)).slice(-fromEnd);
  const kept = isLong ? `${first.slice(0, longest - 1 - fromEnd).join('')}…${last.join('')}` : text;
  return kept.replace(/[\0-\x1f\x7f]/g, (sign) =>
    sign === '\x7f' ? '␡' : String.fromCharCode(0x2400 + sign.charCodeAt(0)),
  );
}

/** The same as HTML, whichever way it is written; what is empty or blank is said. */
export function dataText(text: string, longest: number = LONGEST): string {
  if (text === '') return '<i class="said">empty text</i>';
  if (text.trim() === '') return '<i class="said">blanks</i>';
  return `<bdi>${escapeHtml(shortened(text, longest))}</bdi>`;
}
