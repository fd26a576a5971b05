import { expect, test } from 'vitest';
import { Terminal } from './output/terminal.js';
import { createProgram } from './program.js';

const silent = { stdout: { write: () => true }, stderr: { write: () => true } };
const terminal = new Terminal({ json: false, quiet: true }, silent.stdout, silent.stderr, {});

test('a command that is read without the others is what it is among them', async () => {
  const whole = await createProgram(terminal, silent);
  expect(whole.commands.length).toBeGreaterThan(40);
  for (const command of whole.commands) {
    const { commands } = await createProgram(terminal, silent, command.name());
    const alone = commands.find((one) => one.name() === command.name())!;
    expect(alone.helpInformation()).toBe(command.helpInformation());
    if (command.helpGroup() !== 'Help:') expect(commands.length).toBeLessThan(5);
  }
});
