import { type EntityField, entityFields, isEntityField } from './entities.js';
import { expectRecord, isRecord, type JsonRecord } from './json-checks.js';
import type { StoredMemory } from './memory-space.js';
import { WireRefusal } from './wire-refusal.js';

/** A filter that has been checked. */
export type Filter =
  | { readonly kind: 'AND' | 'OR' | 'NOT'; readonly of: readonly Filter[] }
  | {
      readonly kind: 'entity';
      readonly field: EntityField;
      readonly anyOf: readonly string[] | '*';
    }
  | { readonly kind: 'metadata'; readonly key: string; readonly value: unknown };

const operators: readonly string[] = ['AND', 'OR', 'NOT'];

/**
 * Checks `filters` of a search.
 *
 * - One is needed, and at least one entity id within: https://docs.mem0.ai/api-reference/memory/search-memories
 * - At the root stands AND, OR or NOT with a list, or conditions alone, as the same page has both.
 * - Fields and operators are those of https://docs.mem0.ai/platform/features/v2-memory-filters; of them
 *   this server knows the entity ids (equal, `eq`, `in`, `*`) and top-level metadata, and refuses others.
 *
 * @throws WireRefusal
 */
export function readFilter(value: unknown): Filter {
  if (!isRecord(value) || Object.keys(value).length === 0) {
    throw new WireRefusal('filters is required and must hold at least one entity id.');
  }
  const filter = readConditions(value);
  if (namedFields(filter).size === 0) {
    throw new WireRefusal(`filters must hold at least one of: ${entityFields.join(', ')}.`);
  }
  return filter;
}

/** The entity fields that a filter speaks of. */
export function namedFields(filter: Filter): ReadonlySet<EntityField> {
  if (filter.kind === 'entity') return new Set([filter.field]);
  if (filter.kind === 'metadata') return new Set();
  return new Set(filter.of.flatMap((inner) => [...namedFields(inner)]));
}

/**
 * Whether a memory matches. A field of which an AND speaks not has to be null ("implicit null scoping",
 * https://docs.mem0.ai/platform/features/entity-scoped-memory), so that a memory of a run is not found
 * by its user alone.
 *
 * @param named - The fields that the filter as a whole speaks of.
 */
export function matches(
  filter: Filter,
  memory: StoredMemory,
  named: ReadonlySet<EntityField> = namedFields(filter),
): boolean {
  if (filter.kind === 'OR') return filter.of.some((inner) => matches(inner, memory));
  const scoped = entityFields.every(
    (field) => named.has(field) || memory.entities[field] === undefined,
  );
  return scoped && holds(filter, memory);
}

function holds(filter: Filter, memory: StoredMemory): boolean {
  switch (filter.kind) {
    case 'AND':
      return filter.of.every((inner) => holds(inner, memory));
    case 'OR':
      return filter.of.some((inner) => holds(inner, memory));
    case 'NOT':
      return !filter.of.some((inner) => holds(inner, memory));
    case 'metadata':
      return isRecord(memory.metadata) && memory.metadata[filter.key] === filter.value;
    case 'entity': {
      const id = memory.entities[filter.field];
      return id !== undefined && (filter.anyOf === '*' || filter.anyOf.includes(id));
    }
  }
}

function readConditions(value: JsonRecord): Filter {
  const of = Object.entries(value).map(([name, condition]) => readCondition(name, condition));
  const [only, ...others] = of;
  return only !== undefined && others.length === 0 ? only : { kind: 'AND', of };
}

function readCondition(name: string, condition: unknown): Filter {
  if (name === 'AND' || name === 'OR' || name === 'NOT') {
    if (!Array.isArray(condition) || condition.length === 0) {
      throw new WireRefusal(`filters: ${name} must be a non-empty list of conditions.`);
    }
    const of = condition.map((inner) => readConditions(expectRecord(inner, 'a condition')));
    return { kind: name, of };
  }
  if (isEntityField(name)) return { kind: 'entity', field: name, anyOf: readIds(name, condition) };
  if (name === 'metadata') {
    const [entry, ...more] = Object.entries(expectRecord(condition, 'metadata'));
    if (entry === undefined || more.length > 0) {
      throw new WireRefusal('filters: metadata takes one key.');
    }
    return { kind: 'metadata', key: entry[0], value: entry[1] };
  }
  throw new WireRefusal(
    `filters: unknown field ${name}. Known are ${[...operators, ...entityFields, 'metadata'].join(', ')}.`,
  );
}

function readIds(field: string, condition: unknown): readonly string[] | '*' {
  if (condition === '*') return '*';
  const {
    eq,
    in: among,
    ...others
  }: JsonRecord = isRecord(condition) ? condition : { eq: condition };
  if (Object.keys(others).length > 0) {
    throw new WireRefusal(`filters: ${field} does not take ${Object.keys(others).join(', ')}.`);
  }
  const ids: readonly unknown[] = Array.isArray(among) ? among : [eq];
  const texts = ids.filter((id) => typeof id === 'string');
  if (texts.length !== ids.length || texts.includes('')) {
    throw new WireRefusal(`filters: ${field} must be a non-empty string.`);
  }
  return texts;
}
