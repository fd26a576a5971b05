/** The scripts of the page that scores rows, written to a folder: their names. */
export function scoringScripts(folder: string): Promise<{ readonly page: string; readonly worker: string }>;
