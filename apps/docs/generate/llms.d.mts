/** The text of llms.txt: the pages of the site in that folder, each with its title and first paragraph. */
export function llmsText(here: string): string;
