/** The messages of a turn as Mastra has them: tool calls and the answer after them are parts of one message. */
function mastraMessages(threadId, messages) {
  const made = [];
  for (const { id, role, contents } of messages) {
    const [content] = contents;
    const last = made.at(-1);
    const calls = last?.content.parts.filter(({ type }) => type === 'tool-invocation') ?? [];
    if (content.type === 'tool_result') {
      Object.assign(calls.at(-1).toolInvocation, { state: 'result', result: content.result });
      continue;
    }
    const part =
      content.type === 'text'
        ? { type: 'text', text: content.text }
        : {
            type: 'tool-invocation',
            toolInvocation: {
              state: 'call',
              toolCallId: content.callId,
              toolName: content.name,
              args: JSON.parse(content.arguments),
            },
          };
    if (role === 'assistant' && calls.length > 0) last.content.parts.push(part);
    else {
      made.push({
        ...{ id, threadId, resourceId: `of ${threadId}`, role, type: 'v2' },
        content: { format: 2, parts: [part] },
        createdAt: new Date(),
      });
    }
  }
  return made;
}

/** A store of Mastra. A thread is made when it is first written to. */
export async function mastra(name, store) {
  await store.init();
  const memory = await store.getStore('memory');
  const threads = new Set();
  return {
    name,
    append: async (session, messages) => {
      if (!threads.has(session)) {
        const [createdAt, updatedAt] = [new Date(), new Date()];
        const thread = { id: session, resourceId: `of ${session}`, title: session, metadata: {} };
        await memory.saveThread({ thread: { ...thread, createdAt, updatedAt } });
        threads.add(session);
      }
      await memory.saveMessages({ messages: mastraMessages(session, messages) });
    },
    load: async (session) =>
      (await memory.listMessages({ threadId: session, perPage: false })).messages,
    textIn: ({ content }) => content.parts.at(-1).text,
    mostOthers: 1_000,
    fillAtOnce: 64,
    close: () => store.close?.(),
  };
}
