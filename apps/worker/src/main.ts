import { runTaskProgram } from '@orchard/task-program';

await runTaskProgram('worker');
