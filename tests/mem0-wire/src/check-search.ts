import { isEntityField } from './entities.js';
import { type Filter, readFilter } from './filter.js';
import { expectRecord, refuseUnknown } from './json-checks.js';
import { WireRefusal } from './wire-refusal.js';

/** A checked search. */
export interface SearchRequest {
  readonly query: string;
  readonly filter: Filter;
  readonly topK: number;
  readonly threshold: number;
}

/** What `search` of `MemoryClient` 3 may send. */
const parameters: readonly string[] = [
  'query',
  'filters',
  'output_format',
  'metadata',
  'top_k',
  'threshold',
  'rerank',
  'latest_only',
  'fields',
  'categories',
  'show_expired',
  'reference_date',
  'keyword_search',
  'source',
];

/**
 * Checks the body of `POST /v3/memories/search/`. Entity ids belong into `filters`, and beside them are
 * refused; `top_k` is 1 to 1,000 and 10 by default, `threshold` 0.1 by default
 * (https://docs.mem0.ai/api-reference/memory/search-memories).
 *
 * @throws WireRefusal
 */
export function readSearchRequest(body: unknown): SearchRequest {
  const request = expectRecord(body, 'The body');
  const misplaced = Object.keys(request).filter(isEntityField);
  if (misplaced.length > 0) {
    throw new WireRefusal(`${misplaced.join(', ')} must be passed inside filters.`);
  }
  refuseUnknown(request, parameters, 'search');
  const { query, filters, top_k: topK = 10, threshold = 0.1 } = request;
  if (typeof query !== 'string' || query.trim() === '') {
    throw new WireRefusal('query must be a non-empty string.');
  }
  if (typeof topK !== 'number' || !Number.isInteger(topK) || topK < 1 || topK > 1_000) {
    throw new WireRefusal('top_k must be a whole number from 1 to 1000.');
  }
  if (typeof threshold !== 'number' || threshold < 0 || threshold > 1) {
    throw new WireRefusal('threshold must be a number from 0 to 1.');
  }
  return { query, filter: readFilter(filters), topK, threshold };
}
