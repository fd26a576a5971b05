/**
 * A module beside the one that asks, as built JavaScript: a thread has no loader for TypeScript, which tests read.
 *
 * @param importer `import.meta.url` of the caller, in `src` or `dist`
 */
export function builtModule(name: string, importer: string): URL {
  return new URL(`${importer.endsWith('.ts') ? '../dist' : '.'}/${name}.js`, importer);
}
