import {
  Agent,
  type ChatClient,
  type ChatMessage,
  type HistoryBackend,
  HistoryProvider,
  type LoadResult,
  type Tool,
} from '../../packages/core/src/index.js';
import { checkSequences, faultSource, onceEach } from './turn.js';

/** Calls a tool with what was said, and answers with it. */
const chatClient: ChatClient = {
  specificationVersion: 'v1',
  historyStorage: 'none',
  getResponse: async (messages) => {
    const last = messages.at(-1);
    const name = lastQuestion(messages);
    return last?.role === 'tool'
      ? { messages: [{ role: 'assistant', contents: `heard ${name}` }] }
      : {
          messages: [
            {
              role: 'assistant',
              contents: [
                {
                  type: 'tool_call',
                  callId: `call of ${name}`,
                  name: 'note',
                  arguments: JSON.stringify({ name }),
                },
              ],
            },
          ],
        };
  },
  getStreamingResponse: () => {
    throw new Error('Nobody streams here.');
  },
};

/** An agent whose runs are four messages: what is said, a tool call, its result, and the answer. */
export function agentOver(backend: HistoryBackend): Agent {
  const provider = new HistoryProvider({ backend, sourceId: faultSource, limit: 20 });
  return new Agent({ chatClient, contextProviders: [provider], tools: [noteTool] });
}

const noteTool: Tool = {
  specificationVersion: 'v1',
  name: 'note',
  description: 'Takes a note.',
  parameters: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  parse: (input) => input,
  execute: () => 'noted',
};

/**
 * What was said in the runs that are stored, in their order.
 *
 * @throws Error for a run that is not there as a whole and together, or is there twice.
 */
export function runsIn({ records, damaged }: LoadResult): string[] {
  if (damaged.length > 0) throw new Error(`Damaged: ${JSON.stringify(damaged)}`);
  checkSequences(records.map(({ sequence }) => sequence));
  const messages = records.map(({ payload }): ChatMessage => JSON.parse(payload));
  const names: string[] = [];
  for (let first = 0; first < messages.length; first += 4) {
    const run = messages.slice(first, first + 4);
    const name = textOf(run[0]);
    const roles = run.map(({ role }) => role).join(' ');
    if (roles !== 'user assistant tool assistant' || textOf(run[3]) !== `heard ${name}`) {
      throw new Error(`No whole run: ${roles}, ${name}`);
    }
    names.push(name);
  }
  return onceEach(names);
}

function lastQuestion(messages: readonly ChatMessage[]): string {
  return textOf(messages.findLast(({ role }) => role === 'user'));
}

function textOf(message: ChatMessage | undefined): string {
  const [content] = message?.contents ?? [];
  return content?.type === 'text' ? content.text : '';
}
