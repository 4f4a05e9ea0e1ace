import { AWKWARD_TEXTS, call, pages, type Step } from './steps.ts';
import { failure } from './transcript.ts';

/**
 * What a step needs of the form in which the server speaks HTTP: a `stream` in answer to a request, on which it says
 * something before the answer; or a `session`, by which it knows what was before, and whose answer is for it.
 */
type Need = 'stream' | 'session';

interface DemoStep extends Step {
  needs?: readonly Need[];
}

const BOTH: readonly Need[] = ['stream', 'session'];
const NOTES = 'demo://notes';

/** A session with the server in `servers/sdk-1-server.js`. */
const demoSteps: readonly DemoStep[] = [
  { name: 'opens', run: async ({ opened }) => opened },
  { name: 'lists the tools, page by page', run: (peer) => pages(peer, 'tools/list') },
  { name: 'lists the resources', run: (peer) => pages(peer, 'resources/list') },
  { name: 'lists the resource templates', run: (peer) => pages(peer, 'resources/templates/list') },
  { name: 'lists the prompts', run: (peer) => pages(peer, 'prompts/list') },
  { name: 'turns to a page that there is not', run: (peer) => peer.request('tools/list', { cursor: 'x' }) },
  { name: 'pings', run: (peer) => peer.request('ping') },
  { name: 'calls a tool', run: (peer) => call(peer, 'add', { a: 1, b: 2.5 }) },
  { name: 'gets structured output', run: (peer) => call(peer, 'weather', { city: 'Perth' }) },
  {
    name: 'sends and gets texts of every kind',
    run: (peer) => Promise.all(AWKWARD_TEXTS.map((message) => call(peer, 'echo', { message }))),
  },
  {
    name: 'follows the progress of a call',
    needs: ['stream'],
    run: (peer) => call(peer, 'count', { to: 3 }, { progress: true }),
  },
  { name: 'asks for all logs', run: (peer) => peer.request('logging/setLevel', { level: 'debug' }) },
  {
    name: 'hears what a call logs',
    needs: ['stream'],
    run: (peer) => call(peer, 'logs', { lines: ['one', 'two'] }),
  },
  { name: 'reads a resource', run: (peer) => peer.request('resources/read', { uri: NOTES }) },
  {
    name: 'reads a resource of a template',
    run: (peer) => peer.request('resources/read', { uri: 'demo://page/7' }),
  },
  {
    name: 'reads an unknown resource',
    run: (peer) => peer.request('resources/read', { uri: 'demo://nothing' }),
  },
  { name: 'subscribes', run: (peer) => peer.request('resources/subscribe', { uri: NOTES }) },
  { name: 'hears of an update', needs: ['stream'], run: (peer) => call(peer, 'touch') },
  { name: 'unsubscribes', run: (peer) => peer.request('resources/unsubscribe', { uri: NOTES }) },
  { name: 'gets a prompt', run: (peer) => peer.request('prompts/get', { name: 'greet' }) },
  {
    name: 'gets a prompt with arguments',
    run: (peer) => peer.request('prompts/get', { name: 'greet', arguments: { city: 'Parma' } }),
  },
  {
    name: 'completes an argument',
    run: (peer) =>
      peer.request('completion/complete', {
        ref: { type: 'ref/prompt', name: 'greet' },
        argument: { name: 'city', value: 'Pa' },
      }),
  },
  { name: 'samples for the server', needs: BOTH, run: (peer) => call(peer, 'asks-a-model') },
  { name: 'fills in a form for the server', needs: BOTH, run: (peer) => call(peer, 'asks-a-person') },
  { name: 'gives its roots when asked', needs: BOTH, run: (peer) => call(peer, 'asks-for-roots') },
  {
    name: 'teaches the server a tool, and lists it',
    needs: ['session'],
    run: async (peer) => [await call(peer, 'learn', { name: 'sing' }), await pages(peer, 'tools/list')],
  },
  { name: 'calls a tool that fails', run: (peer) => call(peer, 'fails') },
  { name: 'calls an unknown tool', run: (peer) => call(peer, 'no-such-tool') },
  { name: 'asks for an unknown method', run: (peer) => peer.request('no/such-method') },
  {
    name: 'makes ten calls at once',
    run: (peer) => Promise.all(Array.from({ length: 10 }, (_, n) => call(peer, 'add', { a: n, b: n }))),
  },
  {
    // Without a stream nothing tells when the call has begun.
    name: 'cancels a call, and goes on',
    needs: BOTH,
    async run(peer) {
      const abort = new AbortController();
      const begun = peer.heard.lastProgress();
      const outcome = call(peer, 'waits', {}, { signal: abort.signal, progress: true }).catch(failure);
      await begun;
      abort.abort('no longer needed');
      return { cancelled: await outcome, next: await call(peer, 'echo', { message: 'still here' }) };
    },
  },
];

/** The steps that a form of HTTP allows which has these. */
export function sdk1Steps(...has: readonly Need[]): readonly Step[] {
  return demoSteps.filter(({ needs = [] }) => needs.every((need) => has.includes(need)));
}
