/** Text of about 600 characters, another one for every number. */
const textOf = (number) =>
  `${number}: ${'The weather in Oslo is sunny, with a light wind from the west, says the report. '.repeat(8)}`.slice(
    0,
    600,
  );

const createdAt = '2026-01-01T00:00:00.000Z';
let made = 0;

const message = (role, contents) => {
  made += 1;
  return { id: `message-${made}`, role, contents, createdAt };
};
const text = () => [{ type: 'text', text: textOf(made) }];

/** A question and its answer, as messages of Minne with ids of their own. */
export const plainTurn = () => [message('user', text()), message('assistant', text())];

/** A question, a tool call, its result and the answer. */
export function toolTurn() {
  const question = message('user', text());
  const callId = `call-${made}`;
  const call = { type: 'tool_call', callId, name: 'weather', arguments: '{"city":"Oslo"}' };
  return [
    question,
    message('assistant', [call]),
    message('tool', [{ type: 'tool_result', callId, result: textOf(made) }]),
    message('assistant', text()),
  ];
}

/** Plain turns with this many messages in all. */
export const conversation = (length) => Array.from({ length: length / 2 }, plainTurn).flat();

export const textIn = ({ contents: [content] }) => content.text ?? '';
