import type { SerializedSession, StorableSession } from '@minne/core';
import { ReferenceSessionStore } from '../reference-session-store.js';

/** Names sessions as a case-insensitive file system does. */
export class IgnoresCase extends ReferenceSessionStore {
  protected override nameOf(sessionId: string): string {
    return sessionId.toLowerCase();
  }
}

/** Makes file names by replacing what a file name may not hold. */
export class ReplacesCharacters extends ReferenceSessionStore {
  protected override nameOf(sessionId: string): string {
    return sessionId.replace(/[^A-Za-z0-9.-]/g, '_');
  }
}

/** Brings ids to one Unicode form. */
export class NormalisesIds extends ReferenceSessionStore {
  protected override nameOf(sessionId: string): string {
    return sessionId.normalize('NFC');
  }
}

/** Cuts ids at the longest file name. */
export class CutsLongIds extends ReferenceSessionStore {
  protected override nameOf(sessionId: string): string {
    return Buffer.from(sessionId).subarray(0, 255).toString('latin1');
  }
}

/** Takes any id. */
export class AcceptsAnyId extends ReferenceSessionStore {
  protected override checkId(): void {}

  protected override check(session: SerializedSession): StorableSession {
    return { ...super.check({ ...session, sessionId: 'checked' }), sessionId: session.sessionId };
  }
}

/** Takes whatever can be written. */
export class AcceptsAnything extends ReferenceSessionStore {
  protected override check(session: SerializedSession): StorableSession {
    return session as StorableSession;
  }
}

/** Writes text as the C libraries under some stores do: it ends at U+0000. */
export class EndsAtNul extends ReferenceSessionStore {
  protected override parse(text: string): SerializedSession | undefined {
    return super.parse(text.replaceAll(/(?<!\\)\\u0000[^"]*/g, ''));
  }
}

/** Writes text with its own escapes, as UTF-8: half of a surrogate pair becomes a replacement. */
export class LosesHalfPairs extends ReferenceSessionStore {
  protected override parse(text: string): SerializedSession | undefined {
    return super.parse(text.replaceAll(/\\ud[89a-f][0-9a-f]{2}/g, '\ufffd'));
  }
}

/** Copies member by member: `__proto__` is assigned, and gone. */
export class AssignsMembers extends ReferenceSessionStore {
  protected override parse(text: string): SerializedSession | undefined {
    const parsed = super.parse(text);
    return parsed === undefined ? undefined : (assigned(parsed) as SerializedSession);
  }
}

/** Keeps the members that it knows, under the version that it knows. */
export class RewritesLayouts extends ReferenceSessionStore {
  protected override textOf({ type, sessionId, ...rest }: SerializedSession): string {
    return super.textOf({ type, v: 1, sessionId, state: rest['state'] });
  }
}

/** Has a column of a limited length. */
export class CutsLongSessions extends ReferenceSessionStore {
  protected override textOf(session: SerializedSession): string {
    return super.textOf(session).slice(0, 1_048_576);
  }
}

function assigned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(assigned);
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) copy[name] = assigned(member);
  return copy;
}
