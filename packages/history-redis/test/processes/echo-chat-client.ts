import { type ChatClient, messageText } from '@minne/core';

/** A model that says how many messages it was sent, and the first of them. */
export const echoChatClient: ChatClient = {
  specificationVersion: 'v1',
  historyStorage: 'none',
  getResponse: async (messages) => {
    const [first] = messages;
    const text = `${messages.length} from ${first === undefined ? '' : messageText(first)}`;
    return { messages: [{ role: 'assistant', contents: text }] };
  },
  getStreamingResponse: () => {
    throw new Error('Nobody streams here.');
  },
};
