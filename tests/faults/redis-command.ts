import { connect } from 'node:net';

/** What a Redis answers to a command. @throws Error when that is an error. */
export async function redisCommand(port: number, command: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  socket.write(`${command}\r\nQUIT\r\n`);
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  if (answer.startsWith('-')) throw new Error(`${command}: ${answer}`);
  return answer;
}
