/** Banned phrases in a text, each with the better word. */
export function bannedIn(text: string): string[];

/** What the rules find on a page of Markdown. */
export function problemsOfPage(text: string, limits?: { isReadme?: boolean; mostLines?: number }): string[];

/** Banned phrases in the strings and templates of a source file. */
export function problemsOfSource(text: string, isJsx?: boolean): string[];
