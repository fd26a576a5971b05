/** Links of the built site that lead nowhere. */
export function brokenLinks(folder: string): { page: string; link: string }[];
