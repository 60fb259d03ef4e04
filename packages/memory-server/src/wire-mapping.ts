import type {
  CreateEntryWire,
  EntryWire,
  MemoryEntry,
  MemoryPrecondition,
  MemorySource,
  NewMemoryEntry,
  StoreWire,
} from '@minne/core/memory';
import type { StoreInfo } from '@minne/memory-engine';
import type { ReadMask } from './field-mask.js';

type SourceWire = NonNullable<EntryWire['source_type']>;

const sourceToWire: { readonly [S in MemorySource]: SourceWire } = {
  AGENT: 'MANAGED_MEMORY_ENTRY_SOURCE_TYPE_AGENT',
  DREAMER: 'MANAGED_MEMORY_ENTRY_SOURCE_TYPE_DREAMER',
};
const sourceFromWire: { readonly [S in SourceWire]: MemorySource } = {
  MANAGED_MEMORY_ENTRY_SOURCE_TYPE_AGENT: 'AGENT',
  MANAGED_MEMORY_ENTRY_SOURCE_TYPE_DREAMER: 'DREAMER',
};

/** A store as the memory API shows it. */
export function storeToWire(store: StoreInfo): StoreWire {
  return {
    name: `memory-stores/${store.id}`,
    display_name: store.id,
    ...(store.description === undefined ? {} : { description: store.description }),
    metadata: { ...store.metadata },
    creator_user_id: store.creator,
    owner_user_id: store.creator,
    create_time: store.createTime,
    update_time: store.updateTime,
  };
}

/** An entry as the memory API shows it, or the members of it that the mask names. */
export function entryToWire(
  storeId: string,
  entry: MemoryEntry,
  mask?: ReadMask,
): Partial<EntryWire> {
  const wire: EntryWire = {
    name: `memory-stores/${storeId}/entries/${entry.id}`,
    actor_id: entry.actorId,
    ...(entry.sessionId === undefined ? {} : { session_id: entry.sessionId }),
    path: entry.path,
    ...(entry.content === undefined ? {} : { content: entry.content }),
    ...(entry.description === undefined ? {} : { description: entry.description }),
    source_type: sourceToWire[entry.source],
    create_time: entry.createTime,
    update_time: entry.updateTime,
    content_sha256: entry.contentSha256,
    metadata: { ...entry.metadata },
    ...(entry.expireTime === undefined ? {} : { expire_time: entry.expireTime }),
    revision: entry.revision,
  };
  if (mask === undefined) return wire;
  const names: ReadonlySet<string> = mask;
  return Object.fromEntries(Object.entries(wire).filter(([name]) => names.has(name)));
}

/** The entry that a body asks to be written. */
export function entryFromWire(wire: CreateEntryWire): NewMemoryEntry {
  return {
    actorId: wire.actor_id,
    ...(wire.session_id === undefined ? {} : { sessionId: wire.session_id }),
    path: wire.path,
    ...(wire.content === undefined ? {} : { content: wire.content }),
    ...(wire.description === undefined ? {} : { description: wire.description }),
    ...(wire.metadata === undefined ? {} : { metadata: wire.metadata }),
    ...(wire.source_type === undefined ? {} : { source: sourceFromWire[wire.source_type] }),
    ...(wire.expire_time === undefined ? {} : { expireTime: wire.expire_time }),
  };
}

/** The precondition of a body as an option of a write. */
export function preconditionFromWire(
  wire: { readonly content_sha256: string | null } | undefined,
): { readonly precondition?: MemoryPrecondition } {
  return wire === undefined ? {} : { precondition: { contentSha256: wire.content_sha256 } };
}
