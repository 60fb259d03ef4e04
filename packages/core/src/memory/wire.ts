import { z } from 'zod';
import { isJsonObject } from '../json.js';

/**
 * The shapes of the memory API on the wire. They describe what may be sent: a server's decoder drops
 * unknown members, and what a value must be beyond its type is checked by the functions in
 * `validate.ts`, in process as well.
 */

/** A map of strings. `z.record` would drop a key named `__proto__`, which is a key like any other. */
const metadata = z.custom<Readonly<Record<string, string>>>(
  (value) =>
    isJsonObject(value) && Object.values(value).every((member) => typeof member === 'string'),
  'must be an object whose values are strings',
);

/** Body of an error answer. */
export const errorBodySchema = z.object({
  error_code: z.string(),
  message: z.string(),
  details: z.array(z.record(z.string(), z.string())).optional(),
});

/** A memory store on the wire. */
export const storeSchema = z.object({
  name: z.string(),
  display_name: z.string(),
  description: z.string().optional(),
  metadata: metadata.optional(),
  workspace_id: z.union([z.number(), z.string()]).optional(),
  creator_user_id: z.string().optional(),
  owner_user_id: z.string().optional(),
  storage_backend: z.object({ backend_type: z.string(), backend_id: z.string() }).optional(),
  create_time: z.string(),
  update_time: z.string(),
});

/** Body of a store's creation. */
export const createStoreSchema = z.object({
  display_name: z.string().optional(),
  description: z.string().optional(),
  metadata: metadata.optional(),
});

/** Body of a store's update; the mask in the query says which members count. */
export const updateStoreSchema = z.object({
  description: z.string().optional(),
  metadata: metadata.optional(),
});

/** A page of stores. */
export const storePageSchema = z.object({
  managed_memory_stores: z.array(storeSchema).default([]),
  next_page_token: z.string().optional(),
});

/** Who wrote an entry, as the wire says it. */
export const sourceTypeSchema = z.enum([
  'MANAGED_MEMORY_ENTRY_SOURCE_TYPE_AGENT',
  'MANAGED_MEMORY_ENTRY_SOURCE_TYPE_DREAMER',
]);

/** How much of an entry an answer holds. */
export const viewSchema = z.enum(['BASIC', 'FULL']);

/** An entry on the wire. */
export const entrySchema = z.object({
  name: z.string(),
  actor_id: z.string(),
  session_id: z.string().optional(),
  path: z.string(),
  content: z.string().optional(),
  description: z.string().optional(),
  source_type: sourceTypeSchema.optional(),
  create_time: z.string(),
  update_time: z.string(),
  content_sha256: z.string().optional(),
  metadata: metadata.optional(),
  expire_time: z.string().optional(),
  revision: z.number().optional(),
});

/** Body of an entry's creation. */
export const createEntrySchema = z.object({
  actor_id: z.string(),
  session_id: z.string().optional(),
  path: z.string(),
  content: z.string().optional(),
  description: z.string().optional(),
  source_type: sourceTypeSchema.optional(),
  metadata: metadata.optional(),
  expire_time: z.string().optional(),
});

/** What the stored entry must be for a write to happen. */
export const preconditionSchema = z.object({ content_sha256: z.string().nullable() });

/** Body of a put. */
export const putEntrySchema = createEntrySchema.extend({
  mode: z.enum(['REPLACE', 'APPEND']).default('REPLACE'),
  precondition: preconditionSchema.optional(),
});

/** Body of an entry's update; the mask in the query says which members count. */
export const updateEntrySchema = z.object({
  content: z.string().optional(),
  description: z.string().optional(),
  precondition: preconditionSchema.optional(),
});

/** A page of entries. */
export const entryPageSchema = z.object({
  managed_memory_entries: z.array(entrySchema).default([]),
  next_page_token: z.string().optional(),
});

/** Body of a search. */
export const searchEntriesSchema = z.object({
  actor_id: z.string(),
  query: z.string(),
  page_size: z.number().optional(),
  /** Deprecated name of `page_size`. */
  limit: z.number().optional(),
  session_id: z.string().optional(),
  path_prefix: z.string().optional(),
  view: viewSchema.optional(),
  /** Names of the members of an entry to answer with, parted by commas. */
  read_mask: z.string().optional(),
  mode: z.enum(['HYBRID', 'KEYWORD', 'SEMANTIC']).optional(),
});

/** Answer to a search. */
export const searchResultSchema = z.object({
  results: z.array(z.object({ managed_memory_entry: entrySchema, score: z.number() })).default([]),
  managed_memory_entries: z.array(entrySchema).default([]),
  degraded: z.boolean().optional(),
});

/** An entry on the wire. */
export type EntryWire = z.infer<typeof entrySchema>;
/** A store on the wire. */
export type StoreWire = z.infer<typeof storeSchema>;
/** Body of an entry's creation. */
export type CreateEntryWire = z.infer<typeof createEntrySchema>;
