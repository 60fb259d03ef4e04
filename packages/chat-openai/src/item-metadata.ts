import type { Content, JsonObject } from '@minne/core';
import { textOf } from './read-json.js';
import type { ResponsePhase } from './response-wire.js';

/** The service's id of the output item that a content came from. */
const itemIdKey = 'minne.item_id';
/** What the service calls the phase of a message: comment on the way, or final answer. */
const phaseKey = 'minne.phase';

/** Where a content came from, to be kept with it. */
export function itemMetadata(item: JsonObject): { readonly metadata?: JsonObject } {
  const id = textOf(item['id']);
  const phase = textOf(item['phase']);
  if (id === undefined && phase === undefined) return {};
  return {
    metadata: {
      ...(id === undefined ? {} : { [itemIdKey]: id }),
      ...(phase === undefined ? {} : { [phaseKey]: phase }),
    },
  };
}

/** The id of the output item that a content came from. */
export function itemIdOf({ metadata }: Content): string | undefined {
  return textOf(metadata?.[itemIdKey]);
}

/** The phase of the message that a content came from. */
export function phaseOf({ metadata }: Content): ResponsePhase | undefined {
  const phase = metadata?.[phaseKey];
  return phase === 'commentary' || phase === 'final_answer' ? phase : undefined;
}
