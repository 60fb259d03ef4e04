import { readAddRequest } from './check-add.js';
import { readSearchRequest } from './check-search.js';
import { type Entities, entityFields } from './entities.js';
import type { MemorySpace, RankedMemory } from './memory-space.js';
import { WireRefusal } from './wire-refusal.js';

/** What an endpoint is asked. */
export interface WireCall {
  readonly method: string;
  readonly url: URL;
  readonly body: unknown;
}

/**
 * What the service answers to a call that came with a valid key. Served are the endpoints of the third
 * version that `MemoryClient` 3 of `mem0ai` calls, with the slash at their end; all others do not exist.
 *
 * @throws WireRefusal
 */
export function answer({ method, url, body }: WireCall, space: MemorySpace): unknown {
  switch (`${method} ${url.pathname}`) {
    case 'GET /v1/ping/':
      // Read by `ping()` of the client.
      return {
        status: 'ok',
        org_id: 'org-1',
        project_id: 'project-1',
        user_email: 'kim@example.com',
      };
    case 'POST /v3/memories/add/':
      space.add(readAddRequest(body));
      // Additions are carried out later (https://docs.mem0.ai/platform/features/async-mode-default-change).
      return {
        message: 'Memory processing has been queued for background execution',
        status: 'PENDING',
        event_id: `event-${space.memories.length}`,
      };
    case 'POST /v3/memories/search/': {
      const { query, filter, topK, threshold } = readSearchRequest(body);
      return { results: space.search(query, filter, topK, threshold).map(written) };
    }
    case 'DELETE /v1/memories/':
      space.deleteOf(entitiesOf(url.searchParams));
      return { message: 'Memories deleted successfully!' };
    default:
      throw new WireRefusal(`Not found: ${method} ${url.pathname}`, 404);
  }
}

function written({ memory: stored, score }: RankedMemory): unknown {
  const { id, memory, entities, metadata, createdAt } = stored;
  return {
    id,
    memory,
    ...Object.fromEntries(entityFields.map((field) => [field, entities[field] ?? null])),
    metadata,
    categories: [],
    score,
    created_at: createdAt,
    updated_at: createdAt,
  };
}

function entitiesOf(parameters: URLSearchParams): Entities {
  const given = entityFields.flatMap((field) => {
    const id = parameters.get(field);
    return id === null || id === '' ? [] : [[field, id] as const];
  });
  if (given.length === 0) {
    throw new WireRefusal(`At least one of ${entityFields.join(', ')} is required.`);
  }
  return Object.fromEntries(given);
}
