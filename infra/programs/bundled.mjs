// How the sources of the workspace are found, and what a bundle of them was made from.

/**
 * Packages of the workspace by their TypeScript. `import` and `require` are added by how each is asked for.
 *
 * @param {...string} conditions
 */
export const resolveWith = (...conditions) => ({
  conditionNames: ['@orchard/source', ...conditions, 'default'],
  extensionAlias: { '.js': ['.ts', '.js'] },
});

/**
 * @typedef {object} Bundled
 * @property {readonly string[]} files that were written, by name
 * @property {readonly string[]} imports of what is not in the folder
 * @property {readonly string[]} sources the files that something was taken from
 */

/**
 * @param {readonly (import('rolldown').OutputChunk | import('rolldown').OutputAsset)[]} output
 * @returns {Bundled}
 */
export function bundledOf(output) {
  const chunks = output.filter(({ type }) => type === 'chunk');
  const own = new Set(chunks.map(({ fileName }) => fileName));
  const imports = chunks.flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports]);
  const sources = chunks.flatMap(({ modules }) =>
    Object.entries(modules).flatMap(([id, { renderedLength }]) => (renderedLength > 0 ? [id] : [])),
  );
  const files = output.map(({ fileName }) => fileName);
  return { files, imports: [...new Set(imports)].filter((name) => !own.has(name)), sources: [...new Set(sources)] };
}
