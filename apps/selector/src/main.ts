import { runTaskProgram } from '@orchard/program';

await runTaskProgram('selector');
