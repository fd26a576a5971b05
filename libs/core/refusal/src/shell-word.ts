/** A text as one word of bash and zsh, whatever is in it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The same, plain where it needs no quotes: what remedies say of commands. */
export function shellWord(text: string): string {
  return /^[\w./=:@%+,-]+$/.test(text) ? text : quoted(text);
}
