// TypeDoc names a module by the file that it begins in (`kernel/src`); readers import it as a package
// (`@orchard/kernel`).
import { Converter } from 'typedoc';

/** @param {import('typedoc').Application} app */
export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.children ?? []) module.name = `@orchard/${module.name.replace(/\/src\b/, '')}`;
  });
}
