/** Characters of a text that a line shows. */
const MOST_SHOWN = 120;
/** Those of them that stand after the mark of what is left out. */
const SHOWN_AT_THE_END = 30;

/** A text for a line that people read, without its middle where it is long: a cell may hold a whole page. */
export function shortened(text: string): string {
  const characters = text.length <= MOST_SHOWN ? [] : [...text];
  if (characters.length <= MOST_SHOWN) return text;
  const begins = characters.slice(0, MOST_SHOWN - SHOWN_AT_THE_END - 1).join('');
  return `${begins}…${characters.slice(-SHOWN_AT_THE_END).join('')}`;
}
