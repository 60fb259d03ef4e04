import type { HistoryCallOptions, HistoryKey, SessionState } from '@minne/core';
import { ReferenceHistoryBackend } from '../reference-history-backend.js';

/** Runs the parts of the key together. */
export class JoinsKeysWithColon extends ReferenceHistoryBackend {
  override nameOf({ sessionId, sourceId }: HistoryKey): string {
    return `${sourceId}:${sessionId}`;
  }
}

/** The same the other way round. */
export class JoinsKeysSessionFirst extends ReferenceHistoryBackend {
  override nameOf({ sessionId, sourceId }: HistoryKey): string {
    return `${sessionId}:${sourceId}`;
  }
}

/** Keeps all sources of a session in one place. */
export class IgnoresTheSource extends ReferenceHistoryBackend {
  override nameOf({ sessionId }: HistoryKey): string {
    return sessionId;
  }
}

/** Takes composed and decomposed letters for the same. */
export class NormalisesKeys extends ReferenceHistoryBackend {
  override nameOf(key: HistoryKey): string {
    return super.nameOf(key).normalize('NFC');
  }
}

/** Cuts keys to the width of a column. */
export class CutsLongKeys extends ReferenceHistoryBackend {
  override nameOf({ sessionId, sourceId }: HistoryKey): string {
    return JSON.stringify([sourceId.slice(0, 127), sessionId.slice(0, 127)]);
  }
}

/** Tells histories apart by the actor, too. */
export class KeysByActor extends ReferenceHistoryBackend {
  override nameOf(key: HistoryKey): string {
    return `${key.actorId ?? ''} ${super.nameOf(key)}`;
  }
}

/** Does not check the parts of a key. */
export class AcceptsAnyKey extends ReferenceHistoryBackend {
  override checkedKey(): HistoryKey {
    return { sessionId: 'any', sourceId: 'any' };
  }
}

/** Clears whatever begins with the id of the session. */
export class ClearsByPrefix extends ReferenceHistoryBackend {
  override async clear(key: HistoryKey, options: HistoryCallOptions = {}): Promise<void> {
    await super.clear(key, options);
    for (const history of this.store.values()) {
      const { sessionId, sourceId } = history.key;
      if (sourceId === key.sourceId && sessionId.startsWith(key.sessionId)) {
        await super.clear(history.key, options);
      }
    }
  }
}

/** Begins to count anew after a clear. */
export class RestartsAfterClear extends ReferenceHistoryBackend {
  override async clear(key: HistoryKey, options: HistoryCallOptions = {}): Promise<void> {
    await super.clear(key, options);
    this.store.delete(this.nameOf(key));
  }
}

/** Takes an append without an actor for one that removes it. */
export class ForgetsTheActor extends ReferenceHistoryBackend {
  protected override remember(key: HistoryKey, state: SessionState): void {
    this.store.delete(this.nameOf(key));
    super.remember(key, state);
  }
}
