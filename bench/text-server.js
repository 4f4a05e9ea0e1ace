// `text-server.js KIND BYTES`: answers each request with so much text of a kind, the same every time.
import { createCipheriv } from 'node:crypto';
import { createInterface } from 'node:readline';

const KINDS = {
  /** What an image is: nothing in it repeats. */
  base64: (bytes) => keystream((bytes / 4) * 3).toString('base64'),
  /** What a model says, with names and words that credentials are called by. */
  prose: (bytes) =>
    'Ada Lovelace <ada@example.org> wrote to Charles: the token count of user 17 is kept in her notes.txt.\n'
      .repeat(Math.ceil(bytes / 100))
      .slice(0, bytes),
};

function keystream(bytes) {
  return createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(Buffer.alloc(bytes));
}

const [, , kind, bytes] = process.argv;
const text = JSON.stringify(KINDS[kind](Number(bytes)));
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id } = JSON.parse(line);
  process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"text":${text}}}\n`);
});
