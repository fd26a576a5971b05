import { builtModule } from '@orchard/pipeline';

/** What the thread of `orchard answer` runs. */
export const questionsThread = builtModule('questions-thread', import.meta.url);
