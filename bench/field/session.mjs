/**
 * What each client of the field does: it opens a session, lists the tools, calls one, calls another, and closes. Each driver in `clients/` gives
 * these steps for its package. What the application sees of each step is a line on standard error: `seen {"call":"well"}`. The exit status is 0 if
 * all went well. A driver takes the command line of a server, or its URL.
 */
import { OFFLINE } from './offline.js';

/** How long a client waits for an answer, if it can be told. */
export const TIMEOUT = 10_000;
/** How much of a text is shown. */
const LENGTH = 200;
Object.assign(process.env, OFFLINE);

const [, , command, ...args] = process.argv;
/** Where the server listens. Absent: the client starts it. */
export const url = /^http:/.test(command) ? command : undefined;
/** The command line of the server that the client starts. */
export const server = { command, args };

/**
 * Runs the steps. Each returns anything in which the text of the answer stands; `open` and `close` return nothing.
 * @param {{ open(): Promise<unknown>, list?(): Promise<unknown>, call?(name: string, args: object): Promise<unknown>, close(): Promise<unknown> }} steps
 */
export async function use({ open, list, call, close }) {
  const isWell = async (step, task, expected = []) => {
    const outcome = await outcomeOf(task, expected);
    console.error(`seen ${JSON.stringify({ [step]: outcome })}`);
    if (outcome !== 'well') process.exitCode = 1;
    return outcome === 'well';
  };
  // A host that checks its servers calls no tool.
  if ((await isWell('open', open)) && list !== undefined) {
    await isWell('list', list, ['count', 'echo']);
    await isWell('call', () => call('count', { to: 2 }), ['counted: 1, 2']);
    await isWell('again', () => call('echo', { text: 'hello' }), ['echo: hello']);
  }
  await isWell('close', close);
}

async function outcomeOf(task, expected) {
  try {
    const text = JSON.stringify(await task()) ?? '';
    return expected.every((part) => text.includes(part)) ? 'well' : `answer: ${text.slice(0, LENGTH)}`;
  } catch (error) {
    return `error: ${reasonOf(error).slice(0, LENGTH)}`;
  }
}

function reasonOf(error) {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.replaceAll(/\s+/g, ' ').trim();
}
