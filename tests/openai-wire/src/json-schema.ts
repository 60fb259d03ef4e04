import { isObject, type UncheckedObject } from './checks.js';

const typeNames = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

/**
 * The first reason why the service would refuse a schema, or `undefined`. `context` is the path in
 * the service's notation, `('properties', 'city')`.
 *
 * Rules, each as the service words it: arrays need `items` and the outermost object needs
 * `properties` (https://github.com/github/github-mcp-server/issues/1548). With `strict`, every object
 * needs `additionalProperties: false` (https://github.com/bytedance/trae-agent/issues/173) and must
 * require each property (https://github.com/kevinwatt/mysql-mcp/issues/5).
 */
function schemaProblem(
  schema: UncheckedObject,
  strict: boolean,
  path: readonly string[] = [],
): string | undefined {
  const at = `In context=(${path.map((step) => `'${step}'`).join(', ')}${path.length === 1 ? ',' : ''})`;
  const types = [schema['type']].flat().filter((type) => type !== undefined);
  const unknownType = types.find((type) => !typeNames.includes(String(type)));
  if (unknownType !== undefined) {
    return `${at}, '${String(unknownType)}' is not valid under any of the given schemas.`;
  }
  if (types.includes('array') && schema['items'] === undefined) {
    return `${at}, array schema missing items.`;
  }
  if (types.includes('object')) {
    const problem = objectProblem(schema, strict, path.length === 0);
    if (problem !== undefined) return `${at}, ${problem}`;
  }
  return nestedProblem(schema, strict, path);
}

/**
 * The first reason why the service would refuse a schema as the parameters of a function, or as what an
 * answer must be: either must be an object (https://github.com/alibaba/spring-ai-alibaba/issues/4576,
 * https://github.com/podly-pure-podcasts/podly_pure_podcasts/pull/89).
 */
export function objectSchemaProblem(schema: UncheckedObject, strict: boolean): string | undefined {
  return schema['type'] === 'object'
    ? schemaProblem(schema, strict)
    : `schema must be a JSON Schema of 'type: "object"', got 'type: "${String(schema['type'] ?? 'None')}"'.`;
}

function objectProblem(
  schema: UncheckedObject,
  strict: boolean,
  outermost: boolean,
): string | undefined {
  const { properties, required, additionalProperties } = schema;
  if (outermost && !isObject(properties)) return 'object schema missing properties.';
  if (!strict) return undefined;
  if (additionalProperties !== false) {
    return "'additionalProperties' is required to be supplied and to be false.";
  }
  const listed: readonly unknown[] = Array.isArray(required) ? required : [];
  const missing = Object.keys(isObject(properties) ? properties : {}).find(
    (name) => !listed.includes(name),
  );
  if (missing === undefined) return undefined;
  return `'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`;
}

function nestedProblem(
  schema: UncheckedObject,
  strict: boolean,
  path: readonly string[],
): string | undefined {
  for (const keyword of ['properties', '$defs']) {
    const members = schema[keyword];
    if (!isObject(members)) continue;
    for (const [name, member] of Object.entries(members)) {
      const problem = isObject(member)
        ? schemaProblem(member, strict, [...path, keyword, name])
        : undefined;
      if (problem !== undefined) return problem;
    }
  }
  for (const keyword of ['items', 'anyOf', 'oneOf', 'allOf']) {
    for (const [index, member] of [schema[keyword]].flat().entries()) {
      const steps = keyword === 'items' ? [keyword] : [keyword, String(index)];
      const problem = isObject(member)
        ? schemaProblem(member, strict, [...path, ...steps])
        : undefined;
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}
