/** What the model says, word by word when it streams: the same for every contestant. */
export const words = 'The weather in Oslo is sunny today, with a light wind from the west.'.split(
  /(?<= )/,
);
export const answer = words.join('');
export const question = 'What is the weather like?';
export const toolNames = ['weather', 'calendar', 'notes'];
export const toolInput = { city: 'Oslo' };

/** Runs to measure: sessions of 1 and 200 turns, 0 and 3 tool calls, whole and streamed. */
export const scenarios = [1, 200].flatMap((turns) =>
  [0, 3].flatMap((tools) =>
    [false, true].map((streamed) => ({
      turns,
      tools,
      streamed,
      name: `${turns} turn${turns === 1 ? '' : 's'}, ${tools} tools, ${streamed ? 'streamed' : 'whole'}`,
    })),
  ),
);
