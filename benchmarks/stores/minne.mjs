import { textIn } from './conversations.mjs';

/** The same record for a message as `HistoryProvider` makes. */
const recordOf = (message) => {
  const { id, role, contents } = message;
  const [{ type, callId }] = contents;
  const group = type === 'tool_call' || type === 'tool_result' ? callId : id;
  return { v: 1, id, group, kind: role, payload: JSON.stringify(message) };
};

/** A backend of ours: messages in, messages out. */
export function minne(name, backend) {
  const key = (session) => ({ sessionId: session, sourceId: 'history', actorId: `of ${session}` });
  return {
    name,
    append: (session, messages) => backend.append(key(session), messages.map(recordOf)),
    load: async (session) => {
      const { records } = await backend.load(key(session));
      return records.map(({ payload }) => JSON.parse(payload));
    },
    textIn,
    fillAtOnce: 64,
    close: () => backend.close(),
  };
}
