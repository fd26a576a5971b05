/**
 * What terminals obey instead of showing it: controls (ESC begins a sequence that moves the cursor, renames the window
 * or asks for an answer, and U+009B does so alone), and what turns the direction of writing around. Line feed and tab
 * are layout.
 */
const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Text as it may be printed on a terminal: what would be obeyed is written as `\u001b`. */
export function harmless(text: string): string {
  return text.replace(obeyed, escaped);
}

/** As {@link harmless}, for what stands within a line: line breaks and tabs are written out as well. */
export function harmlessLine(text: string): string {
  return harmless(text).replace(/[\n\t]/g, escaped);
}

/** The same document as JSON writes it, with escapes for what JSON itself leaves as it is. */
export function harmlessJson(value: unknown): string {
  return harmless(JSON.stringify(value));
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
