import { AWKWARD_TEXTS, call, pages, type Step } from './steps.ts';
import { failure } from './transcript.ts';

const NOTES = 'demo://notes';
const TEMPLATE = 'demo://page/{number}';

/** A session of revision 2026-07-28 with the server in `servers/modern.js`: nothing but requests and their streams. */
export const modernSteps: readonly Step[] = [
  { name: 'opens', run: async ({ opened }) => opened },
  { name: 'lists the tools', run: (peer) => pages(peer, 'tools/list') },
  { name: 'lists the resources', run: (peer) => pages(peer, 'resources/list') },
  { name: 'lists the resource templates', run: (peer) => pages(peer, 'resources/templates/list') },
  { name: 'lists the prompts', run: (peer) => pages(peer, 'prompts/list') },
  { name: 'calls a tool', run: (peer) => call(peer, 'add', { a: 1, b: 2.5 }) },
  { name: 'gets structured output', run: (peer) => call(peer, 'weather', { city: 'Perth' }) },
  {
    name: 'sends and gets texts of every kind',
    run: (peer) => Promise.all(AWKWARD_TEXTS.map((message) => call(peer, 'echo', { message }))),
  },
  {
    name: 'follows the progress of a call',
    run: (peer) => call(peer, 'count', { to: 3 }, { progress: true }),
  },
  {
    name: 'answers what a call asks back, and gets its result',
    run: (peer) => call(peer, 'deploy', { target: 'staging' }),
  },
  { name: 'samples when a call asks back', run: (peer) => call(peer, 'ask-model') },
  { name: 'gives its roots when a call asks back', run: (peer) => call(peer, 'ask-roots') },
  { name: 'reads a resource', run: (peer) => peer.request('resources/read', { uri: NOTES }) },
  {
    name: 'reads a resource of a template',
    run: (peer) => peer.request('resources/read', { uri: 'demo://page/7' }),
  },
  {
    name: 'reads an unknown resource',
    run: (peer) => peer.request('resources/read', { uri: 'demo://nothing' }),
  },
  { name: 'gets a prompt', run: (peer) => peer.request('prompts/get', { name: 'greet' }) },
  {
    name: 'gets a prompt with arguments',
    run: (peer) => peer.request('prompts/get', { name: 'welcome', arguments: { city: 'Parma' } }),
  },
  {
    name: 'completes part of a URI',
    run: (peer) =>
      peer.request('completion/complete', {
        ref: { type: 'ref/resource', uri: TEMPLATE },
        argument: { name: 'number', value: '12' },
      }),
  },
  { name: 'calls a tool that fails', run: (peer) => call(peer, 'fails') },
  { name: 'calls an unknown tool', run: (peer) => call(peer, 'no-such-tool') },
  { name: 'calls with wrong arguments', run: (peer) => call(peer, 'add', { a: 'one' }) },
  { name: 'asks for an unknown method', run: (peer) => peer.request('no/such-method') },
  {
    name: 'makes ten calls at once',
    run: (peer) => Promise.all(Array.from({ length: 10 }, (_, n) => call(peer, 'add', { a: n, b: n }))),
  },
  {
    // Over HTTP the stream is closed, and elsewhere a notification sent.
    name: 'cancels a call, and goes on',
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

/**
 * What of it a client of an older revision can do where the same server serves that too, without sessions: an answer
 * to what it asks back, or a cancel, would come to nobody.
 */
export const statelessSteps: readonly Step[] = [
  ...modernSteps.filter(({ name }) => !/asks back|cancels/.test(name)),
  { name: 'pings', run: (peer) => peer.request('ping') },
  { name: 'asks for all logs', run: (peer) => peer.request('logging/setLevel', { level: 'debug' }) },
];
