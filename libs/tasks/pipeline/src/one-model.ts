/** What the only model of a run is called, where nothing more is wanted of it: in names of artefacts. */
export const oneModel = 'model';
