/** The words of a command line as it is written; what stands in `${}` is one word, or a list of words. */
export function argv(texts: TemplateStringsArray, ...values: (string | number | readonly string[])[]): string[];
