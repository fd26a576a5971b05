import type { CommandGrammar, Grammar, OptionGrammar, Value } from './grammar.js';
import { brief } from './brief.js';

/** For fish 3 and later. */
export function fishCompletion({ name, options, commands }: Grammar): string {
  const line = (...parts: readonly string[]): string => ['complete', '-c', name, ...parts].join(' ');
  const ofCommand = ({ name: command, description, options: own, arguments: places }: CommandGrammar): string[] => {
    const within = ['-n', quotedForFish(`__fish_seen_subcommand_from ${command}`)];
    const first = places[0];
    return [
      line('-n', '__fish_use_subcommand', '-a', command, '-d', quotedForFish(brief(description))),
      ...own.map((option) => line(...within, ...partsOf(option))),
      ...(first === undefined ? [] : [line(...within, ...valueParts(first, false))]).filter((one) => /-[aF]/.test(one)),
    ];
  };
  return `# Completion of ${name} for fish. Now: ${name} completion fish | source
# In every shell: ${name} completion fish > ~/.config/fish/completions/${name}.fish
${[
  line('-f'),
  ...options.map((option) => line('-n', '__fish_use_subcommand', ...partsOf(option))),
  ...commands.flatMap(ofCommand),
].join('\n')}
`;
}

function partsOf({ short, long, description, value }: OptionGrammar): string[] {
  const flags = [...(short === null ? [] : ['-s', short.slice(1)]), '-l', long.slice(2)];
  return [...flags, ...(value === null ? [] : valueParts(value, true)), '-d', quotedForFish(brief(description))];
}

/** @param required of an option, whose value fish is to ask for */
function valueParts({ words, paths }: Value, required: boolean): string[] {
  const offered = [...words, ...(paths === 'folders' ? ['(__fish_complete_directories)'] : [])];
  const among = offered.length === 0 ? [] : ['-a', quotedForFish(offered.join(' '))];
  if (paths === 'files') return [...(required ? ['-r'] : []), '-F', ...among];
  return [required ? '-x' : '', ...among].filter((part) => part !== '');
}

const quotedForFish = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;
