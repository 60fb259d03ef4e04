import { OpenAIChatCompletionClient } from '@minne/chat-openai';
import { Agent } from '@minne/core';

const agent = new Agent({
  chatClient: new OpenAIChatCompletionClient({ modelId: 'gpt-4.1-mini' }),
  instructions: 'Answer in one sentence.',
});
const session = agent.createSession();
await agent.run('My name is Kim.', { session });
const response = await agent.run('What is my name?', { session });
console.log(response.text);
