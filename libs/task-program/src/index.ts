export { runTaskProgram } from './start-task-program.js';
