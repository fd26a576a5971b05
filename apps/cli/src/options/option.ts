import { Option } from 'commander';
import { rarely } from './help-places.js';
import type { ReaderFor } from './values.js';

/**
 * An option of commander with the type of what it adds to the parsed options of a command, as `{ top?: number }` of
 * `--top <n>`. `found` never exists: {@link Parsed} takes the type from it.
 */
export type TypedOption<Found> = Option & { readonly found?: (found: Found) => void };

/** What such a function makes: `One` of `() => One` and of `() => One[]`. */
type OptionOf<Make extends (...said: never[]) => Option | readonly Option[]> =
  ReturnType<Make> extends readonly (infer One)[] ? One : ReturnType<Make>;

/**
 * The parsed options of a command whose options this function makes. Those are a union of types, of which TypeScript
 * infers the intersection, since `Found` is the type of a parameter: what each adds is there together.
 */
export type Parsed<Make extends (...said: never[]) => Option | readonly Option[]> =
  OptionOf<Make> extends TypedOption<infer Found> ? Found : never;

/** `perRow` of `-o, --per-row <file>`; none of `--no-report`, which only says the opposite of another option. */
type NameIn<Flags extends string> = Flags extends `--no-${string}`
  ? never
  : Flags extends `${string}--${infer Long} ${string}`
    ? Camel<Long>
    : Flags extends `${string}--${infer Long}`
      ? Camel<Long>
      : never;
type Camel<Word extends string> = Word extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Word;
/** What an option without a reader is parsed as. */
type Plain<Flags extends string> = Flags extends `${string}<${string}` ? string : true;

type MayHave<Flags extends string, Value> = TypedOption<{ readonly [Name in NameIn<Flags>]?: Value }>;
type Has<Flags extends string, Value> = TypedOption<{ readonly [Name in NameIn<Flags>]: Value }>;

/** How {@link option} is called. */
interface MakesOption {
  <Flags extends string>(flags: Flags, description: string): MayHave<Flags, Plain<Flags>>;
  /** @param read what reads its text */
  <Flags extends string, Value>(flags: Flags, description: string, read: ReaderFor<Value>): MayHave<Flags, Value>;
  /** @param usual its value where it is not given */
  <Flags extends string, Value>(
    flags: Flags,
    description: string,
    read: ReaderFor<Value>,
    usual: Value,
    usualInWords?: string,
  ): Has<Flags, Value>;
}

/** An option as data: its type follows from its flags and its reader. */
export const option: MakesOption = (
  flags: string,
  description: string,
  read?: (where: string) => (text: string, before: never) => unknown,
  usual?: unknown,
  usualInWords?: string,
) => {
  const made = new Option(flags, description);
  if (read !== undefined) made.argParser(read(made.long!) as (text: string) => unknown);
  return usual === undefined ? made : made.default(usual, usualInWords);
};

/** One that `--help` leaves to `--help-all`. */
export const rare = ((...said: Parameters<MakesOption>) => rarely(option(...said))) as MakesOption;

/** One that has to be given. */
export function needed<Found>(one: TypedOption<Found>): TypedOption<Required<Found>> {
  return one.makeOptionMandatory();
}

/** Puts options below a heading. */
export function under<const Options extends readonly Option[]>(heading: string, options: Options): Options {
  for (const one of options) one.helpGroup(heading);
  return options;
}
