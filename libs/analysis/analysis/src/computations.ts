import { asTabular } from '@orchard/model';
import type { ComputationContext } from '@orchard/pipeline';
import { families } from '@orchard/registry';
import { completionsOf, type CompletionsAsked } from './fills/completions-of.js';
import { postedCompletions, receivedRows, type PostedCompletions, type PostedRows } from './fills/posted-rows.js';
import type { ModelHandle } from './model-threads.js';
import { ruledBy } from './rules/rules-of-model.js';

/** What threads compute of the rows that they are posted, by the model that they have opened. */
export const computations = {
  complete(
    { rows, asked }: { readonly rows: PostedRows; readonly asked: CompletionsAsked },
    context: ComputationContext,
  ): PostedCompletions {
    const { model, ruled } = context.data(open);
    return postedCompletions(completionsOf(model, ruled, receivedRows(rows, model), asked));
  },
};

function open(handle: unknown) {
  const { bytes, rules } = handle as ModelHandle;
  const model = asTabular(families.openModel(bytes));
  return { model, ruled: rules === null ? null : ruledBy(model, rules, null).ruled };
}
