import type { PostedError } from '@orchard/refusal';
import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { fileURLToPath } from 'node:url';

const builtPosition = /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g;
const maps = new Map<string, SourceMap | null>();

/** What failed, its stacks by the sources of built code. */
export function bySources({ stack, cause, ...failure }: PostedError): PostedError {
  return { ...failure, stack: stack && stackBySources(stack), cause: cause && bySources(cause) };
}

/**
 * A stack by the sources of built code. Threads, commands and programs run without `--enable-source-maps`: Node reads
 * the map of each module that it loads, a fifth of the start of a command, and only failures need one.
 */
export function stackBySources(stack: string): string {
  return stack.replace(builtPosition, (built, file: string, line: string, column: string) => {
    const entry = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (entry === undefined || !('originalSource' in entry)) return built;
    const source = fileURLToPath(new URL(entry.originalSource, file));
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}

/** Read once: where many tasks fail, they fail alike. */
function mapOf(file: string): SourceMap | null {
  let map = maps.get(file);
  if (map === undefined) {
    try {
      map = new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${file}.map`), 'utf8')) as SourceMapPayload);
    } catch {
      map = null;
    }
    maps.set(file, map);
  }
  return map;
}
