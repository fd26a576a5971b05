import type { ArgumentGrammar, CommandGrammar, Grammar, OptionGrammar, Value } from './grammar.js';
import { quoted } from '@orchard/refusal';
import { brief } from './brief.js';

/** For zsh 5 and later, by its `_arguments`. */
export function zshCompletion({ name, options, commands }: Grammar): string {
  return `#compdef ${name}
# Completion of ${name} for zsh. Now: source <(${name} completion zsh)
# In every shell: ${name} completion zsh > a file _${name} in a folder of $fpath, before compinit
_${name}() {
  local context state state_descr line
  local -A opt_args
  _arguments -C ${options.map(specOf).join(' ')} '1: :->command' '*:: :->rest' && return
  case $state in
    command)
      local -a commands=(
${commands.map((command) => `        ${quoted(`${command.name}:${brief(command.description)}`)}`).join('\n')}
      )
      _describe -t commands command commands
      ;;
    rest)
      case $words[1] in
${commands.map(caseOf).join('\n')}
      esac
      ;;
  esac
}
if [[ $funcstack[1] == _${name} ]]; then
  _${name} "$@"
else
  compdef _${name} ${name}
fi
`;
}

function caseOf({ name, options, arguments: places }: CommandGrammar): string {
  const specs = [...options.map(specOf), ...places.map(placeOf)];
  return `        ${name})\n          _arguments -s \\\n${specs.map((spec) => `            ${spec}`).join(' \\\n')}\n          ;;`;
}

/** `'(-o --out)'{-o,--out=}'[the folder to write to]:dir:_files -/'`. */
function specOf({ short, long, description, value }: OptionGrammar): string {
  const said = `[${brief(description).replace(/[\\[\]]/g, '\\$&')}]`;
  const what = value === null ? said : `${said}:${escaped(value.name)}:${action(value)}`;
  // "=" after it: its value may follow either way
  const end = value === null ? '' : '=';
  return short === null
    ? quoted(`${long}${end}${what}`)
    : `${quoted(`(${short} ${long})`)}{${short},${quoted(`${long}${end}`)}}${quoted(what)}`;
}

function placeOf(place: ArgumentGrammar, index: number): string {
  const at = place.several !== null ? '*' : String(index + 1);
  return quoted(`${at}:${escaped(place.name)}:${action(place)}`);
}

function action({ words, paths }: Value): string {
  const ways = paths === null ? null : paths === 'files' ? '_files' : '_files -/';
  if (words.length === 0) return ways ?? ' ';
  const among = `(${words.map((word) => word.replace(/[ :\\]/g, '\\$&')).join(' ')})`;
  return ways === null ? among : `{_alternative "words\\:word\\:${among}" "files\\:file\\:${ways}"}`;
}

const escaped = (text: string): string => text.replace(/[:\\]/g, '\\$&');
