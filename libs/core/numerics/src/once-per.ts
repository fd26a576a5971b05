/** A function of objects that is computed once for each of them, and kept as long as the object is. */
export function oncePer<Key extends object, Value extends object>(compute: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, Value>();
  return (key) => {
    let value = made.get(key);
    if (value === undefined) {
      value = compute(key);
      made.set(key, value);
    }
    return value;
  };
}
