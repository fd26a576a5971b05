// A page for every command, from the definitions that its help is made of.
const program = (file) => import(new URL(`../../cli/dist/${file}`, import.meta.url).href);

/** Pages by their path: an index, and one for each command. */
export async function commandPages() {
  const [{ createProgram }, { optionsByModel }, { headings }, { examplesOf }, { Terminal }] = await Promise.all(
    [
      'program.js',
      'command-line/grouped-help.js',
      'options/help-places.js',
      'options/add-command.js',
      'output/terminal.js',
    ].map(program),
  );
  const streams = { stdout: process.stdout, stderr: process.stderr };
  const terminal = new Terminal({ json: false, quiet: false }, streams.stdout, streams.stderr, {});
  const orchard = await createProgram(terminal, streams);
  const pages = orchard.commands.map((command) => [
    `reference/commands/${command.name()}.md`,
    pageOf(command, { optionsByModel, headings, examplesOf }),
  ]);
  return [['reference/commands/index.md', indexOf(orchard.commands)], ...pages];
}

function indexOf(commands) {
  const groups = new Map();
  for (const command of commands)
    groups.set(command.helpGroup(), [...(groups.get(command.helpGroup()) ?? []), command]);
  const sections = [...groups].map(
    ([heading, members]) =>
      `## ${heading.replace(/:$/, '')}\n\n${members
        .map((command) => `- [\`orchard ${command.name()}\`](./${command.name()}.md): ${prose(command.description())}`)
        .join('\n')}\n`,
  );
  return `# Commands

Made from the definitions of the command line. \`orchard COMMAND --help\` prints the same, and \`orchard man COMMAND\` is the
manual page. Every command has \`--json\` or a file to write, for programs.

${sections.join('\n')}`;
}

function pageOf(command, { optionsByModel, headings, examplesOf }) {
  const groups = new Map();
  for (const option of optionsByModel(command)) {
    const heading = option.helpGroupHeading ?? headings.own;
    groups.set(heading, [...(groups.get(heading) ?? []), option]);
  }
  const places = command.registeredArguments.map((one) => `- \`${one.name()}\`: ${prose(one.description)}`);
  const { lines, notes } = examplesOf(command);
  const options = [...groups].map(
    ([heading, members]) =>
      `### ${heading.replace(/:$/, '')}\n\n${members.map((option) => `- \`${option.flags}\`: ${prose(descriptionOf(option))}`).join('\n')}\n`,
  );
  return `# \`orchard ${command.name()}\`

${prose(command.description())}

\`\`\`text
orchard ${command.name()} ${command.usage()}
\`\`\`

${places.length === 0 ? '' : `${places.join('\n')}\n`}
${lines.length === 0 ? '' : `## Examples\n\n\`\`\`sh\n${lines.map(([line, what]) => (what === '' ? line : `${line}  # ${what}`)).join('\n')}\n\`\`\`\n`}
${notes === '' ? '' : `${notesOf(notes)}\n`}
## Options

${options.join('\n')}`;
}

function descriptionOf({ description, defaultValue, defaultValueDescription }) {
  const usual = defaultValueDescription ?? defaultValue;
  return usual === undefined ? description : `${description} (default: ${usual})`;
}

/** Paragraphs; names with what they mean, which stand indented, as lists. */
function notesOf(notes) {
  const lines = notes.split('\n').map((line) => {
    const [, name, meaning] = /^ {2}(\S+) +(.*)$/.exec(line) ?? [];
    return name === undefined ? prose(line) : `- \`${name}\`: ${prose(meaning)}`;
  });
  return lines.join('\n').replace(/(:)\n- /g, '$1\n\n- ');
}

/** Text that Markdown and Vue are to show as it is; code between backticks stays code. */
export function prose(text) {
  return text
    .split(/(`[^`\n]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replace(/[<>{}|*_[\]\\]/g, (one) => `&#${one.codePointAt(0)};`)))
    .join('');
}
