import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';

/** The example of a README: the first, or the first with these words in it. */
export async function exampleOf(readme: string, words = ''): Promise<string> {
  const page = await readFile(new URL(`../../${readme}`, import.meta.url), 'utf8');
  const examples = [...page.matchAll(/^```[jt]s\n([^]*?)^```$/gm)].map(([, example]) => example!);
  return examples.find((example) => example.includes(words))!;
}

/**
 * Runs an example with what it imports and these names in scope, of which a given one goes before an imported one, and
 * returns what it leaves under the names of `results`.
 */
export async function runExample(
  example: string,
  given: Readonly<Record<string, unknown>>,
  results: string,
): Promise<Record<string, unknown>> {
  const scope = { ...given };
  for (const [, names, from] of example.matchAll(/^import \{ (.*) \} from '(.*)';$/gm)) {
    const module = (await import(/* @vite-ignore */ from!)) as Record<string, unknown>;
    for (const name of names!.split(', ')) {
      expect(module).toHaveProperty(name);
      scope[name] ??= module[name];
    }
  }
  const code = `return (async () => { ${example.replace(/^import .*$/gm, '')} return { ${results} }; })()`;
  const run = new Function(...Object.keys(scope), code) as (...values: unknown[]) => Promise<Record<string, unknown>>;
  return run(...Object.values(scope));
}
