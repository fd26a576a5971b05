import { Steps } from '@orchard/pipeline';
import { z } from 'zod';
import { cutsetCodec, type Cutset } from './cutset-model.js';
import { cutsetSpecification } from './cutset-run.js';

const componentSchema = z.strictObject({ runId: z.string(), component: z.int() });

/** The networks of a mixture, each learned by itself. */
export const components = new Steps<z.infer<typeof componentSchema>, Cutset>({
  folder: 'components',
  letters: { chain: 'c' },
  facts: componentSchema,
  codec: cutsetCodec,
  courseOf: (run) => ({ chains: cutsetSpecification(run).components, steps: 1 }),
});
