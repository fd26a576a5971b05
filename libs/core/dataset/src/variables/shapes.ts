/**
 * What holds of a value of unknown origin.
 *
 * @param what the value is called
 * @throws TypeError naming what was expected
 */
export type Shape<Value> = (value: unknown, what: string) => Value;

/** The fields of an object, each by its name. */
type Fields = Readonly<Record<string, Shape<unknown>>>;

type Said<Of extends Fields> = { readonly [Name in keyof Of]: ReturnType<Of[Name]> };

export function require(holds: boolean, what: string): asserts holds {
  if (!holds) throw new TypeError(`expected ${what}`);
}

export const text: Shape<string> = (value, what) => {
  require(typeof value === 'string' && value.isWellFormed(), `text in ${what}`);
  return value;
};

export const flag: Shape<boolean> = (value, what) => {
  require(typeof value === 'boolean', what);
  return value;
};

export const finite: Shape<number> = (value, what) => {
  require(typeof value === 'number' && Number.isFinite(value), `numbers in ${what}`);
  return value;
};

export const whole: Shape<number> = (value, what) => {
  require(Number.isSafeInteger(value), `whole numbers in ${what}`);
  return value as number;
};

/** A whole number from 0 on. */
export const count: Shape<number> = (value, what) => {
  const number = whole(value, what);
  require(number >= 0, `whole numbers in ${what}`);
  return number;
};

export function oneOf<const Value>(...values: readonly Value[]): Shape<Value> {
  return (value, what) => {
    require(values.includes(value as Value), what);
    return value as Value;
  };
}

export function nullOr<Value>(shape: Shape<Value>): Shape<Value | null> {
  return (value, what) => (value === null ? null : shape(value, what));
}

export function listOf<Value>(shape: Shape<Value>): Shape<readonly Value[]> {
  return (value, what) => {
    require(Array.isArray(value), `a list of ${what}`);
    return value.map((each) => shape(each, what));
  };
}

/** Of `variable "height", tails` it says `variable "height", two tails`. */
export function twoOf<Value>(shape: Shape<Value>): Shape<readonly [Value, Value]> {
  return (value, what) => {
    const [one, two, ...more] = listOf(shape)(value, what);
    require(one !== undefined && two !== undefined && more.length === 0, what.replace(/\w+$/, 'two $&'));
    return [one, two];
  };
}

/**
 * An object of these fields, in this order; others are left out.
 *
 * @param maybe fields that may be absent, behind the others
 */
export function fields<All extends Fields, Maybe extends Fields = Record<never, never>>(
  all: All,
  maybe?: Maybe,
): Shape<Said<All> & Partial<Said<Maybe>>> {
  return (value, what) => {
    require(typeof value === 'object' && value !== null && !Array.isArray(value), what);
    const given = value as Readonly<Record<string, unknown>>;
    const said: Record<string, unknown> = {};
    for (const [name, shape] of Object.entries(all)) said[name] = shape(given[name], `${what}, ${name}`);
    for (const [name, shape] of Object.entries(maybe ?? {}))
      if (given[name] !== undefined) said[name] = shape(given[name], `${what}, ${name}`);
    return said as Said<All> & Partial<Said<Maybe>>;
  };
}
