// An agent over a model on this machine, through any server that speaks Chat Completions. See README.md.
import { OpenAIChatCompletionClient } from '@minne/chat-openai';
import { Agent } from '@minne/core';

const { OPENAI_BASE_URL = 'http://localhost:11434/v1', OPENAI_MODEL = 'qwen3' } = process.env;
const texts = process.argv.slice(2);

const agent = new Agent({
  chatClient: new OpenAIChatCompletionClient({
    modelId: OPENAI_MODEL,
    baseUrl: OPENAI_BASE_URL,
    // Most servers on a machine of one's own know only the older names.
    maxTokensParameter: 'max_tokens',
    developerRole: 'system',
    names: 'none',
  }),
  modelOptions: { maxOutputTokens: 1000 },
});

const session = agent.createSession();
for (const text of texts.length === 0 ? ['Hello!'] : texts) {
  for await (const event of agent.runStream(text, { session })) {
    if (event.type === 'text-delta') process.stdout.write(event.delta);
  }
  process.stdout.write('\n');
}
