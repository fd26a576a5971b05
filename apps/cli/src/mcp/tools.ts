import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import type { RunProgress } from '@orchard/contracts';
import { questionsInJson, type QuestionInJson } from '@orchard/questions/answer';
import { grammarOf, type Grammar } from '../command-line/grammar.js';
import { UsageError } from '../output/errors.js';
import { valueSchemaOf } from '../options/words-of-schema.js';
import { Captured, plainEnvironment, silent } from '../output/captured.js';
import { Terminal } from '../output/terminal.js';
import { createProgram } from '../program.js';
import { run } from '../run.js';
import type { AllowedFolders } from './allowed-folders.js';
import type { AnsweringProcess } from './answering-process.js';
import { commandTools, type CommandTool, type Input } from './command-tools.js';
import type { Heartbeat } from './heartbeat.js';
import type { ProcessPool } from './process-pool.js';

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly heartbeat: Heartbeat;
}

export interface ToolsOptions {
  readonly grammar: Grammar;
  readonly folders: AllowedFolders;
  /** Whether a coordinator is known. */
  readonly withCluster: boolean;
  /** Where models are asked: they are kept open there. */
  readonly questions: AnsweringProcess;
  /** Where commands run. */
  readonly commands: ProcessPool;
}

/** Notes of one call that are shown; each is a line. */
const MOST_NOTES = 20;

const askTools: Readonly<Record<string, keyof typeof questionsInJson>> = {
  'score-rows': 'scoreRows',
  'complete-rows': 'completeRows',
};

const helpTool: Tool = {
  name: 'help',
  title: 'Show every option of a command',
  description: 'The help of a command with all its options, which the tool of that name takes as fields.',
  inputSchema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
  annotations: { readOnlyHint: true, openWorldHint: false },
};

/** The commands, which are tools. */
export async function commandGrammar(): Promise<Grammar> {
  const terminal = new Terminal({ json: true, quiet: true }, silent, silent, plainEnvironment);
  return grammarOf(await createProgram(terminal, { stdout: silent, stderr: silent }));
}

/** What an assistant may have done: commands, questions to models, and help. */
export class Tools {
  readonly all: readonly Tool[];
  readonly instructions: string;
  readonly #commands: ReadonlyMap<string, CommandTool>;

  constructor(private readonly options: ToolsOptions) {
    const { folders, withCluster, grammar } = options;
    const commands = commandTools(grammar, withCluster);
    this.#commands = new Map(commands.map((tool) => [tool.name, tool]));
    const questions = Object.entries(askTools).map(([name, key]) => askTool(name, questionsInJson[key]));
    this.all = [...commands.map(toolOf), ...questions, helpTool];
    this.instructions =
      'Orchard trains models of tables. Begin with describe, then train a model to a folder (out), and give that folder as network. ' +
      'outliers and check need no model. Fields have the names of the command line’s options. ' +
      `Files may be read and written below ${folders.folders.join(', ')}; relative paths begin at the first.`;
  }

  /** @throws Error with what to do, for what is refused or fails */
  async call(name: string, input: Input, options: CallOptions): Promise<string | Readonly<Record<string, unknown>>> {
    const command = this.#commands.get(name);
    if (command !== undefined) return this.#run(command, input, options);
    const question = Object.hasOwn(askTools, name) ? askTools[name]! : null;
    if (question !== null) return this.#ask(question, input, options);
    if (name === helpTool.name) return this.#help(input);
    throw new UsageError({
      got: `the tool ${JSON.stringify(name.slice(0, 60))}`,
      expected: this.all.map((tool) => tool.name).join(', '),
      remedy: 'Call one of these.',
    });
  }

  async #run(tool: CommandTool, input: Input, { signal, heartbeat }: CallOptions): Promise<Input> {
    const words = await tool.wordsOf(input, this.options.folders);
    const [notes, counted] = [new Set<string>(), new Set<string>()];
    const listening = {
      signal,
      onProgress: (progress: RunProgress) => counted.add(`orchard: ${heartbeat.show(progress)}`),
      onNote: (note: string) => notes.add(note.trimEnd()),
    };
    const answer = await this.options.commands.with(signal, (process) => process.ask('run', { words }, listening));
    const said = [...notes].filter((note) => !counted.has(note)).slice(0, MOST_NOTES);
    return said.length === 0 ? answer : { ...answer, messages: said };
  }

  async #ask(question: keyof typeof questionsInJson, input: Input, { signal }: CallOptions): Promise<Input> {
    const { network, ...asked } = input;
    const { questions } = this.options;
    const model = await this.open(network, signal);
    return questions.ask(question, { ...asked, model }, { signal });
  }

  /** Opens a model where questions are asked. @returns what it is called there */
  async open(network: unknown, signal: AbortSignal): Promise<string> {
    if (typeof network !== 'string')
      throw new UsageError({
        got: 'no model',
        expected: 'the folder of a run, or a model file',
        where: 'network',
        remedy: 'Name the folder that train wrote to.',
      });
    const path = await this.options.folders.toRead(network, 'network');
    const { model } = await this.options.questions.ask('open', { model: path }, { signal });
    return model as string;
  }

  async #help({ command }: Input): Promise<string> {
    const known = this.#commands.get(String(command));
    if (known === undefined)
      throw new UsageError({
        got: JSON.stringify(command ?? null).slice(0, 60),
        expected: [...this.#commands.keys()].join(', '),
        where: 'command',
        remedy: 'Name one of these.',
      });
    const stdout = new Captured();
    await run([known.name, '--help-all'], { stdout, stderr: silent }, plainEnvironment);
    return stdout.text;
  }
}

function toolOf({ name, title, description, changes, inputSchema }: CommandTool): Tool {
  return {
    name,
    title,
    description,
    inputSchema: inputSchema as Tool['inputSchema'],
    // a file or folder that exists is replaced where that is asked for
    annotations: { readOnlyHint: !changes, destructiveHint: changes, openWorldHint: false },
  };
}

function askTool(name: string, { title, description, schema }: QuestionInJson): Tool {
  const { properties, required = [] } = valueSchemaOf(schema) as {
    readonly properties: Record<string, object>;
    readonly required?: string[];
  };
  const network = { type: 'string', description: 'the folder of a run, or a model file' };
  return {
    name,
    title,
    description,
    inputSchema: { type: 'object', properties: { network, ...properties }, required: ['network', ...required] },
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
}
