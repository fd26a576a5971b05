import { escapeHtml } from '../text.js';

const LONGEST = 48;

/** Text of the user's file, cut where it is long (the cut is shown), control characters shown as signs: plain text. */
export function shortened(text: string, longest: number = LONGEST): string {
  // by characters, not by halves of them
  const characters = Array.from(text.slice(0, longest * 4));
  const isLong = characters.length > longest || text.length > longest * 4;
  const kept = isLong ? `${characters.slice(0, longest - 1).join('')}…` : text;
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
