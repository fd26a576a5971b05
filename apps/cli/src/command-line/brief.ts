/** What a list of completions has room for: the first clause. */
export function brief(description: string): string {
  const [clause = ''] = description.split(/; | \(|: |\.$/);
  return clause.length <= 80 ? clause : `${clause.slice(0, 79).replace(/\s+\S*$/, '')} …`;
}
