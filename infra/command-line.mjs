// Command lines of the development commands: --help is answered, and what cannot be followed is refused in two plain
// lines.
import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';

/**
 * What was given to `npm run NAME`. Ends the process with 0 after --help, and with 2 where something is unknown or has
 * no value.
 *
 * @param {string} name of the npm script
 * @param {string} usage
 * @param {NonNullable<import('node:util').ParseArgsConfig['options']>} [options] besides --help
 * @param {{ allowPositionals?: boolean }} [how]
 */
export function readCommandLine(name, usage, options = {}, { allowPositionals = false } = {}) {
  /**
   * @param {string} what
   * @returns {never}
   */
  const refuse = (what) => {
    console.error(`${name}: ${what}\nnpm run ${name} -- --help shows what can be given.`);
    process.exit(2);
  };
  const { values, positionals } = parse(options, allowPositionals, refuse);
  if (values.help) {
    console.log(usage);
    process.exit(0);
  }
  /** @param {string} expected */
  const misfit = (option, expected) => refuse(`got --${option} ${values[option]}, expected ${expected}.`);
  return {
    values,
    positionals,
    refuse,
    /** A whole number from `from` on; `otherwise` where the option was not given. */
    whole(option, { from = 0, otherwise } = {}) {
      const value = numberOf(values[option] ?? otherwise);
      if (value === undefined || (Number.isSafeInteger(value) && value >= from)) return value;
      return misfit(option, `a whole number from ${from} on`);
    },
    /** A number that is not negative. */
    amount(option, { otherwise } = {}) {
      const value = numberOf(values[option] ?? otherwise);
      if (value === undefined || (Number.isFinite(value) && value >= 0)) return value;
      return misfit(option, 'a number from 0 on');
    },
    oneOf(option, known, otherwise) {
      const value = values[option] ?? otherwise;
      return known.includes(value) ? value : misfit(option, known.join(' or '));
    },
    /** Some of these, with commas between; all where the option was not given. */
    someOf(option, known) {
      const given = values[option]?.split(',') ?? known;
      return given.every((one) => known.includes(one)) ? given : misfit(option, `some of ${known.join(',')}`);
    },
    /** A folder that is there; undefined where the option was not given. */
    folder(option) {
      const path = values[option];
      const isThere = path === undefined || statSync(path, { throwIfNoEntry: false })?.isDirectory();
      return isThere ? path : misfit(option, 'a folder that is there');
    },
  };
}

/**
 * The words of a command line as it is written: argv`train ${file} --out ${folder}`. What stands in `${}` is one word,
 * or a list of words.
 *
 * @param {TemplateStringsArray} texts
 * @param {(string | number | readonly string[])[]} values
 * @returns {string[]}
 */
export function argv(texts, ...values) {
  return texts.flatMap((text, at) => [
    ...(text.match(/\S+/g) ?? []),
    ...values
      .slice(at, at + 1)
      .flat()
      .map(String),
  ]);
}

/**
 * Runs the command. An error prints its message alone and ends the process with 1.
 *
 * @param {string} name of the npm script
 * @param {() => Promise<void>} main
 */
export async function runPlainly(name, main) {
  try {
    await main();
  } catch (error) {
    console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  }
}

function parse(options, allowPositionals, refuse) {
  try {
    return parseArgs({ options: { ...options, help: { type: 'boolean', short: 'h' } }, allowPositionals });
  } catch (error) {
    // Node goes on in further lines and sentences about dashes
    const [said] = error.message.split(/\n|\. /);
    const what = said.replace('argument is ambiguous', 'lacks its value, or it starts with a dash: --name=-value');
    return refuse(what.endsWith('.') ? what : `${what}.`);
  }
}

/** NaN for text that is blank, which Number takes for 0. */
function numberOf(text) {
  if (text === undefined) return undefined;
  return String(text).trim() === '' ? NaN : Number(text);
}
