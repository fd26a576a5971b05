// `builtModule('computations', import.meta.url)` names a module beside the one that asks, for a thread to import. In a
// bundle all files lie in one folder, and three families have a module of that name: each is emitted as an entry that
// is called after its lib, and asked for by that name.
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const ASKED = /\bbuiltModule\(\s*'([a-z-]+)',\s*import\.meta\.url\s*,?\s*\)/g;

/** The lib that a source file belongs to: libs/families/tables/src/tables.ts is of `tables`. */
const libOf = (file) => basename(dirname(dirname(file)));

/** @returns {import('rolldown').Plugin} */
export function threadModules() {
  const emitted = new Set();
  return {
    name: 'orchard-thread-modules',
    transform: {
      filter: { id: /\/src\/[^/]+\.ts$/, code: "builtModule('" },
      handler(code, id) {
        const replaced = code.replace(ASKED, (_, name) => {
          const module = join(dirname(id), `${name}.ts`);
          if (!existsSync(module)) this.error(`${id} asks for a thread's module ${module}, which is not there`);
          const fileName = `thread-${libOf(id)}-${name}.js`;
          if (!emitted.has(fileName)) {
            emitted.add(fileName);
            // threads look exports up by name
            this.emitFile({ type: 'chunk', id: module, fileName, preserveSignature: 'strict' });
          }
          return `new URL('./${fileName}', import.meta.url)`;
        });
        // no line moves: what was known of the lines goes on to hold
        return { code: replaced, map: null };
      },
    },
  };
}
