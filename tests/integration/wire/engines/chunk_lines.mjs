/** Takes every chunk that arrives for whole messages: one that is longer than the pipe's buffer comes in pieces. */
import { answer, session } from '../../../../reference/javascript/engine.mjs';

const methods = session();
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  for (const line of chunk.split('\n').filter((piece) => piece !== '')) {
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      console.error('not a message, let pass');
      continue;
    }
    process.stdout.write(`${JSON.stringify(answer(methods, message))}\n`);
    if (message.method === 'shutdown') process.stdin.destroy();
  }
});
