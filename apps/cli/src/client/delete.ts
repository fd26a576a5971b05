import { ExitCode } from '@orchard/refusal';
import type { Terminal } from '../output/terminal.js';
import { declareServerCommand } from './commands.js';
import { ServerError } from '../output/server-error.js';
import type { CoordinatorClient } from './coordinator-client.js';

export const addDeleteCommand = declareServerCommand(
  {
    name: 'delete',
    description: 'Delete runs of the coordinator with all they have stored; the data sets stay.',
    places: [['<RUN...>', 'ids of runs; the first digits of each are enough']],
    examples: [
      ['orchard delete 3fa2c1', ''],
      ['orchard delete 3fa2c1 77b0e2', 'several'],
      ['orchard gc', 'afterwards: data sets that no run needs'],
    ],
  },
  (client, given, _, terminal) => deleteRuns(client, given, terminal),
);

/** All names are looked up before the first run is deleted; one that is refused keeps none of the others. */
async function deleteRuns(client: CoordinatorClient, given: readonly string[], terminal: Terminal): Promise<void> {
  const ids = new Set<string>();
  for (const beginning of given) ids.add(await client.find(beginning));
  const deleted: string[] = [];
  const refused: { readonly id: string; readonly code: string; readonly message: string }[] = [];
  for (const id of ids) {
    try {
      await client.delete(id);
      deleted.push(id);
      terminal.result(`run ${id} is deleted`);
    } catch (error) {
      // a coordinator that cannot be reached would refuse each of them in the same words
      if (!(error instanceof ServerError) || error.retryable) throw error;
      refused.push({ id, code: error.code, message: error.message });
      terminal.complain(`orchard: run ${id} is kept: ${error.message}`);
    }
  }
  terminal.document({ deleted, refused });
  if (refused.length > 0) terminal.exitCode = ExitCode.badInput;
}
