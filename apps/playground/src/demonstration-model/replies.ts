import type { FoundMemory } from './found-memories.js';
import type { Outcome } from './turn.js';

const abilities =
  'Tell me something about yourself, such as “I prefer aisle seats”, and I save it. Ask me about it in this conversation or in a new one, and I look it up. Ask “What do you remember about me?” to see everything, or say “Forget my seat preference”.';

export const replies = {
  greeting: `Hello! I am Minne’s demonstration model. ${abilities}`,
  help: `I am a small demonstration model that follows simple rules, so that you can try Minne’s memory without a key. ${abilities}`,
  other: `I am only a demonstration model and cannot talk about everything. What I can do is remember. ${abilities}`,
  thanks: 'You are welcome.',
  nothingSaidBefore: 'That was the first thing you wrote in this conversation.',
  nothingRemembered: 'I remember nothing about you yet. Tell me something, and I will keep it.',
  whatToForget:
    'Tell me what to forget: name its subject, such as “Forget my seat preference”, or its path. I forget one memory at a time.',

  withoutTool: (name: string) =>
    `I would need the tool ${name} for that, and this agent has not given it to me.`,

  failed: ({ name, text }: Outcome) => `That did not work: ${name} answered “${shorten(text)}”`,

  saved: (memories: readonly FoundMemory[]) =>
    `I will remember ${list(memories.map(cite))}. Ask me about it whenever you like, in a new conversation too.`,

  recalled: (memories: readonly FoundMemory[]) => `I remember: ${list(memories.map(cite))}.`,

  notFound: (wanted: readonly string[]) =>
    `I find nothing about “${wanted.join(' ')}” in your memories. I am only a demonstration model, so what you have not told me I do not know.`,

  onlyClose: (wanted: readonly string[], memory: FoundMemory) =>
    `I find nothing that surely answers “${wanted.join(' ')}”. The closest I remember is ${cite(memory)}.`,

  listed: (memories: readonly FoundMemory[]) =>
    `This is what I remember about you:\n${memories.map((memory) => `• ${memory.path}${memory.text === '' ? '' : `: ${shorten(memory.text)}`}`).join('\n')}`,

  forgot: (answer: string) => shorten(answer),

  whichToForget: (memories: readonly FoundMemory[]) =>
    `Several memories may be meant: ${memories.map(cite).join(', ')}. Say “Forget” and the path of one.`,

  saidBefore: (texts: readonly string[]) =>
    `In this conversation you wrote: ${texts.map(quote).join(', then ')}.`,
};

function cite({ path, text }: FoundMemory): string {
  return `${quote(text)} (${path})`;
}

const conjunction = new Intl.ListFormat('en');

/** “a, b, and c”. */
function list(items: readonly string[]): string {
  return conjunction.format(items);
}

function quote(text: string): string {
  return `“${shorten(text)}”`;
}

const maximumQuote = 240;

function shorten(text: string): string {
  const characters = [...text.trim().replace(/\s+/g, ' ')];
  return characters.length <= maximumQuote
    ? characters.join('')
    : `${characters.slice(0, maximumQuote).join('')}…`;
}
