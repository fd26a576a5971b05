/** A text as one word of bash and zsh, whatever is in it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The same, plain where it needs no quotes. */
export function shellWord(text: string): string {
  return /^[\w./=:@%+,-]+$/.test(text) ? text : quoted(text);
}

/** What a list of completions has room for: the first clause. */
export function brief(description: string): string {
  const [clause = ''] = description.split(/; | \(|: |\.$/);
  return clause.length <= 80 ? clause : `${clause.slice(0, 79).replace(/\s+\S*$/, '')} …`;
}
