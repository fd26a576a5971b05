/** Writes the scripts of the page that scores rows to a folder. @returns their names */
export function scoringScripts(folder: string): Promise<{ readonly page: string; readonly worker: string }>;
