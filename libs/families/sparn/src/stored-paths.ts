import { taskNames } from '@orchard/contracts';
import { artefactNames, readDocument } from '@orchard/pipeline';
import { type PathDocument, pathDocumentSchema } from './path-document.js';
import type { ObjectStore } from '@orchard/storage';

export const pathsFolder = 'paths';

export const pathNames = {
  paths: (run: string) => `${artefactNames.run(run)}${pathsFolder}/`,
  path: (run: string, column: number) => taskNames.artefact({ run, key: String(column) }, pathsFolder),
};

export function readPath(store: ObjectStore, run: string, column: number): Promise<PathDocument> {
  return readDocument(store, pathNames.path(run, column), pathDocumentSchema);
}
