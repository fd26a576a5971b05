// Whether the chart makes the objects that kustomize makes: two descriptions of one cluster drift apart unless something compares them.

/**
 * What differs between two lists of Kubernetes objects, a line each; nothing where they say the same.
 *
 * @param {any[]} kustomized
 * @param {any[]} rendered
 * @returns {string[]}
 */
export function driftBetween(kustomized, rendered) {
  const [one, other] = [byName(kustomized), byName(rendered)];
  const names = [...new Set([...one.keys(), ...other.keys()])].sort();
  return names.flatMap((name) => {
    const [left, right] = [one.get(name), other.get(name)];
    if (left === undefined) return [`${name}: only the chart has it`];
    if (right === undefined) return [`${name}: only kustomize has it`];
    return differences(left, right, name);
  });
}

/** @param {any[]} objects */
function byName(objects) {
  // kustomize names a ConfigMap after its content too, so that pods start anew; the chart has an annotation for that
  const configMap = /^orchard-[a-z0-9]{10}$/;
  return new Map(
    objects.map((object) => {
      const text = JSON.stringify(object, (key, value) => {
        if (key === 'name' && typeof value === 'string' && configMap.test(value)) return 'orchard';
        if (key === 'checksum/config') return undefined;
        return value;
      });
      const plain = JSON.parse(text);
      delete plain.metadata.namespace;
      return [`${plain.kind} ${plain.metadata.name}`, plain];
    }),
  );
}

/**
 * @param {any} left
 * @param {any} right
 * @param {string} where
 * @returns {string[]}
 */
function differences(left, right, where) {
  if (isTree(left) && isTree(right) && Array.isArray(left) === Array.isArray(right)) {
    const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])];
    return keys.flatMap((key) => differences(left[key], right[key], `${where} ${key}`));
  }
  // a quantity may be a number or a text
  if (String(left) === String(right)) return [];
  return [`${where}: kustomize has ${JSON.stringify(left)}, the chart ${JSON.stringify(right)}`];
}

/** @param {unknown} value */
function isTree(value) {
  return typeof value === 'object' && value !== null;
}
