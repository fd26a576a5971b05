import type { CommandGrammar, Grammar, OptionGrammar, Value } from './grammar.js';
import { quoted } from '@orchard/refusal';

/** For bash 3.2 (of macOS) and later; before 4 there is no compopt, and names of files are offered for every value. */
export function bashCompletion({ name, options, commands }: Grammar): string {
  const own = `_${name}`;
  const names = commands.map((command) => command.name);
  return `# Completion of ${name} for bash. Now: source <(${name} completion bash)
# In every shell: ${name} completion bash > ~/.local/share/bash-completion/completions/${name}
${own}_words() {
  local IFS=$' \\n'
  COMPREPLY=($(compgen -W "$1" -- "$word"))
  ${own}_nothing
}
# bash completes by names of files what is left empty
${own}_files() { COMPREPLY=(); }
${own}_words_or_files() {
  local IFS=$' \\n'
  COMPREPLY=($(compgen -W "$1" -- "$word"))
}
${own}_folders() {
  type compopt > /dev/null 2>&1 || return 0
  local line
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -d -- "$word")
  compopt -o filenames +o default +o bashdefault 2> /dev/null
}
${own}_nothing() { compopt +o default +o bashdefault 2> /dev/null || :; }
${own}_after_option() {
  case "$command $before" in
${commands.flatMap((command) => casesOfOptions(command, own)).join('\n')}
    *) return 1 ;;
  esac
  return 0
}
${own}_otherwise() {
  case $command in
    '') ${own}_words ${quoted([...names, flagsOf(options)].join(' '))} ;;
${commands.map((command) => caseOfCommand(command, own)).join('\n')}
    *) ${own}_nothing ;;
  esac
}
${own}() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} command= i
  # --out=x is three words here
  if [[ $word == = ]]; then
    word=
  elif [[ $before == = ]]; then
    before=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ \${COMP_WORDS[i]} != -* ]]; then
      command=\${COMP_WORDS[i]}
      break
    fi
  done
  COMPREPLY=()
  ${own}_after_option || ${own}_otherwise
}
complete -o default -o bashdefault -F ${own} ${name}
`;
}

/** `'train -o' | 'train --out') _orchard_folders ;;` for every option with a value. */
function casesOfOptions({ name, options }: CommandGrammar, own: string): string[] {
  return options.flatMap(({ short, long, value }) => {
    if (value === null) return [];
    const flags = [short, long].filter((flag) => flag !== null).map((flag) => quoted(`${name} ${flag}`));
    return [`    ${flags.join(' | ')}) ${offer(value, own)} ;;`];
  });
}

function caseOfCommand({ name, options, arguments: places }: CommandGrammar, own: string): string {
  const first = places[0];
  const operand = first === undefined ? `${own}_nothing` : offer(first, own);
  return `    ${name}) case $word in -*) ${own}_words ${quoted(flagsOf(options))} ;; *) ${operand} ;; esac ;;`;
}

/** What is called to complete such a value. */
function offer({ words, paths }: Value, own: string): string {
  if (words.length > 0) return `${own}_words${paths === null ? '' : '_or_files'} ${quoted(words.join(' '))}`;
  return `${own}_${paths ?? 'nothing'}`;
}

function flagsOf(options: readonly OptionGrammar[]): string {
  return options.flatMap(({ short, long }) => (short === null ? [long] : [short, long])).join(' ');
}
