import type { JsonValue } from './json.js';
import { isJsonObject, toJsonValue } from './json.js';
import type { ChatMessage } from './message.js';

/** Whether two messages say the same: role and contents count, times and metadata do not. */
export function sameMessage(left: ChatMessage, right: ChatMessage): boolean {
  return (
    left.role === right.role && sameJson(toJsonValue(left.contents), toJsonValue(right.contents))
  );
}

/** Whether two JSON values are equal; the order of members does not count. */
function sameJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, i) => sameJson(item, right[i]));
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && sameJson(left[key], right[key]))
  );
}
