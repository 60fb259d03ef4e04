import {
  checkSerializedSession,
  InvalidInputError,
  type StorableSession,
  StoreError,
} from '@minne/core';
import { packageName } from './package-name.js';

/** The layout of the files that this version writes. */
const layout = 1;

/** What is in a session's file, or why it cannot be read. */
export type ReadSession = { readonly session: StorableSession } | { readonly problem: string };

/** The file of a session. */
export function sessionFileText(session: StorableSession): string {
  return `${JSON.stringify({ layout, session })}\n`;
}

/** @throws StoreError when the file is of a newer layout. */
export function readSessionFile(bytes: Uint8Array): ReadSession {
  let content: unknown;
  try {
    content = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    // A TypeError tells of bytes that are no UTF-8, a SyntaxError of text that is no JSON.
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
    return { problem: error.message };
  }
  if (typeof content !== 'object' || content === null || !('session' in content)) {
    return { problem: 'it holds no session' };
  }
  const found = 'layout' in content ? content.layout : undefined;
  if (typeof found === 'number' && found > layout) {
    throw new StoreError(
      `A session file has layout ${found}, and this version reads up to ${layout}. Update ${packageName}.`,
      { packageName },
    );
  }
  try {
    return { session: checkSerializedSession(content.session, { packageName }) };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return { problem: error.message };
  }
}
