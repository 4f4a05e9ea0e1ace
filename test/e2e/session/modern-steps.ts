import { call, pages, type Step } from './steps.ts';

/** A session of revision 2026-07-28 with the server in `servers/modern.js`: nothing but requests and their streams. */
export const modernSteps: readonly Step[] = [
  { name: 'opens', run: async ({ opened }) => opened },
  { name: 'lists the tools', run: (peer) => pages(peer, 'tools/list') },
  { name: 'lists the resources', run: (peer) => pages(peer, 'resources/list') },
  { name: 'calls a tool', run: (peer) => call(peer, 'add', { a: 1, b: 2.5 }) },
  {
    name: 'follows the progress of a call',
    run: (peer) => call(peer, 'count', { to: 3 }, { progress: true }),
  },
  {
    name: 'answers what a call asks back, and gets its result',
    run: (peer) => call(peer, 'deploy', { target: 'staging' }),
  },
  { name: 'reads a resource', run: (peer) => peer.request('resources/read', { uri: 'demo://notes' }) },
  { name: 'gets a prompt', run: (peer) => peer.request('prompts/get', { name: 'greet' }) },
  { name: 'calls an unknown tool', run: (peer) => call(peer, 'no-such-tool') },
  { name: 'asks for an unknown method', run: (peer) => peer.request('no/such-method') },
  {
    name: 'makes ten calls at once',
    run: (peer) => Promise.all(Array.from({ length: 10 }, (_, n) => call(peer, 'add', { a: n, b: n }))),
  },
];
