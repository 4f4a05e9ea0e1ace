/** What of a line is left when it has passed through a process, there and back again. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const HALVES = join(import.meta.dirname, 'halves.js');

/** Lines that are hard on who reads and writes them anew, and what is hard in each. */
export const LINES = {
  'numbers as they are spelt': '{"jsonrpc":"2.0","id":1,"method":"a","params":{"n":[1.0,12345678901234567890]}}',
  'letters of several bytes, parted': '{"jsonrpc":"2.0","id":2,"method":"a","params":{"t":"日本語 🎉"}}',
  'the same id as number and as text': '{"jsonrpc":"2.0","id":3,"method":"a"}\n{"jsonrpc":"2.0","id":"3","method":"a"}',
  'a key that is there twice': '{"jsonrpc":"2.0","id":4,"method":"a","params":{"k":1,"k":2}}',
  'a cancel': '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}}',
  'a line that is no JSON': 'Listening on port 80',
};

/** For each of the lines whether it came back: `yes`, `changed`, `lost`, or `ended` where the process was gone. */
export async function passed(command) {
  const child = spawn(process.execPath, command([HALVES]), { stdio: ['pipe', 'pipe', 'ignore'] });
  const closed = once(child, 'close');
  child.stdin.on('error', () => {});
  const fates = {};
  let heard = '';
  child.stdout.setEncoding('latin1').on('data', (text) => (heard += text));
  for (const [what, line] of Object.entries(LINES)) {
    const end = `{"jsonrpc":"2.0","id":"end of ${what}","method":"ping"}`;
    heard = '';
    child.stdin.write(`${line}\n${end}\n`);
    const isThere = await Promise.race([
      until(child.stdout, () => heard.includes('"end of ')),
      closed.then(() => false),
    ]);
    if (!isThere) fates[what] = 'ended';
    else if (heard.startsWith(Buffer.from(`${line}\n`).toString('latin1'))) fates[what] = 'yes';
    else fates[what] = heard.indexOf('"end of ') > end.length ? 'changed' : 'lost';
  }
  child.stdin.end();
  await closed;
  return fates;
}

function until(stream, isDone) {
  return new Promise((resolve) => {
    const look = () => {
      if (!isDone()) return;
      stream.off('data', look);
      resolve(true);
    };
    stream.on('data', look);
  });
}
