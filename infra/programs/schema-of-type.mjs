// The JSON Schema of what a value of a TypeScript type is once JSON.stringify has written it.
import ts from 'typescript';

const { TypeFlags } = ts;
const isAbsent = ({ flags }) => (flags & (TypeFlags.Undefined | TypeFlags.Void)) !== 0;

/**
 * Makes schemas of types.
 *
 * @param {ts.TypeChecker} checker
 * @returns {{ of: Make, whole: Make, definitions: Map<string, object> }} `of` gives a type with a name by a reference to
 *   the `definitions`, and `whole` says what it is
 * @typedef {(type: ts.Type) => object} Make
 */
export function schemas(checker) {
  const definitions = new Map();
  /** Types by their names: of two with one name the second is called by its number too. */
  const named = new Map();

  function of(type) {
    const { flags } = type;
    if (flags & (TypeFlags.Any | TypeFlags.Unknown)) return {};
    if (flags & TypeFlags.Null) return { type: 'null' };
    if (flags & (TypeFlags.StringLiteral | TypeFlags.NumberLiteral)) return { const: type.value };
    if (flags & TypeFlags.BooleanLiteral) return { const: checker.typeToString(type) === 'true' };
    if (flags & TypeFlags.StringLike) return { type: 'string' };
    if (flags & TypeFlags.NumberLike) return { type: 'number' };
    if (flags & TypeFlags.NonPrimitive) return { type: 'object' };
    if (checker.isTupleType(type)) {
      const items = checker.getTypeArguments(type).map(of);
      return { type: 'array', prefixItems: items, minItems: items.length, maxItems: items.length };
    }
    if (checker.isArrayType(type)) return { type: 'array', items: of(checker.getTypeArguments(type)[0]) };
    return isNamed(type) ? reference(type) : whole(type);
  }

  const whole = (type) => (type.isUnion() ? union(type) : object(type));

  function union({ types }) {
    const said = types.filter((type) => !isAbsent(type));
    const texts = said.filter(({ flags }) => flags & TypeFlags.StringLiteral).map(({ value }) => value);
    const booleans = said.filter(({ flags }) => flags & TypeFlags.BooleanLiteral);
    const others = said.filter(
      ({ flags }) => !(flags & TypeFlags.StringLiteral) && !(booleans.length === 2 && flags & TypeFlags.BooleanLiteral),
    );
    const all = [
      ...(texts.length > 0 ? [{ type: 'string', enum: texts.sort() }] : []),
      ...(booleans.length === 2 ? [{ type: 'boolean' }] : []),
      ...others.map(of),
    ];
    return all.length === 1 ? all[0] : { anyOf: all };
  }

  function reference(type) {
    const { name } = type.aliasSymbol ?? type.symbol;
    const known = named.get(name) ?? [];
    const isNew = !known.includes(type);
    if (isNew) named.set(name, [...known, type]);
    const place = isNew ? known.length : known.indexOf(type);
    const called = place === 0 ? name : `${name}${place + 1}`;
    if (isNew) {
      // first its place, since it may be made of itself
      definitions.set(called, {});
      definitions.set(called, whole(type));
    }
    return { $ref: `#/$defs/${called}` };
  }

  function object(type) {
    const properties = {};
    const required = [];
    for (const property of checker.getPropertiesOfType(type)) {
      const own = checker.getTypeOfSymbol(property);
      if (isAbsent(own) || own.getCallSignatures().length > 0) continue;
      const mayLack =
        (property.flags & ts.SymbolFlags.Optional) !== 0 || (own.isUnion() && own.types.some((each) => isAbsent(each)));
      if (!mayLack) required.push(property.name);
      const said = ts.displayPartsToString(property.getDocumentationComment(checker));
      const former = property.getJsDocTags(checker).find(({ name }) => name === 'deprecated');
      const instead =
        former === undefined ? '' : ` Answered for one release more: ${ts.displayPartsToString(former.text)}`;
      const description = `${said}${instead}`.replace(/\s+/g, ' ').trim();
      properties[property.name] = {
        ...(description !== '' && { description }),
        ...(former !== undefined && { deprecated: true }),
        ...of(own),
      };
    }
    const index = checker.getIndexInfoOfType(type, ts.IndexKind.String);
    return {
      type: 'object',
      properties,
      ...(required.length > 0 && { required }),
      additionalProperties: index === undefined ? false : of(index.type),
    };
  }

  return { of, whole, definitions };
}

/** Whether a type has a name of its own, and no parameters that change what it is. */
function isNamed(type) {
  if (type.aliasSymbol !== undefined) return (type.aliasTypeArguments ?? []).length === 0;
  const { symbol } = type;
  return symbol !== undefined && !symbol.name.startsWith('__') && (type.typeArguments ?? []).length === 0;
}
