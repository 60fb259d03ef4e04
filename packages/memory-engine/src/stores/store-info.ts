import type { StoreRow } from '../storage-port.js';

/** A memory store as callers see it. */
export interface StoreInfo {
  readonly id: string;
  readonly description?: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** The name of the principal that created it. */
  readonly creator: string;
  /** RFC 3339, UTC. */
  readonly createTime: string;
  readonly updateTime: string;
}

/** What a row shows of itself to callers. */
export function toStoreInfo(row: StoreRow): StoreInfo {
  return {
    id: row.id,
    ...(row.description === null ? {} : { description: row.description }),
    metadata: { ...row.metadata },
    creator: row.creator,
    createTime: row.createTime,
    updateTime: row.updateTime,
  };
}
