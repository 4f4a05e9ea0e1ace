import { program } from '../../support/command.ts';
import { modernSteps, statelessSteps } from '../session/modern-steps.ts';
import { sdk1Steps } from '../session/sdk-1-steps.ts';
import { call, type Step, steps } from '../session/steps.ts';
import { type HttpPeer, modern2, sse1, streamable1 } from './clients.ts';
import { type Listening, serve, server } from './processes.ts';

export const EVERYTHING = '@modelcontextprotocol/server-everything';
/** Server-everything in one of its modes. */
export const everything = (mode: string, path: string): Promise<Listening> =>
  serve(program(EVERYTHING, 'dist/index.js', mode), path);

const comingBack: Step = { name: 'comes back for an answer', run: (peer) => call(peer, 'come-back') };

/** A server, a client for it, and what they do. */
export interface Constellation {
  name: string;
  start(): Promise<Listening>;
  connect(url: URL): Promise<HttpPeer>;
  steps: readonly Step[];
  /** Why the cassette ends. */
  end: string;
}

const sdk1 = (form: string, all: readonly Step[]): Constellation => ({
  name: `an SDK 1 server, ${form}`,
  start: () => server('sdk-1.js', form),
  connect: streamable1,
  steps: all,
  end: form === 'stateless' ? 'complete' : 'session deleted',
});

/** Every form of HTTP that servers of the SDKs speak. */
export const constellations: readonly Constellation[] = [
  {
    name: 'server-everything over Streamable HTTP',
    start: () => everything('streamableHttp', '/mcp'),
    connect: streamable1,
    steps,
    end: 'session deleted',
  },
  {
    name: 'server-everything over HTTP with SSE',
    start: () => everything('sse', '/sse'),
    connect: sse1,
    steps,
    end: 'stream closed',
  },
  sdk1('json', sdk1Steps('session')),
  sdk1('sse', sdk1Steps('session', 'stream')),
  sdk1('resumable', [...sdk1Steps('session', 'stream'), comingBack]),
  sdk1('stateless', sdk1Steps('stream')),
  {
    name: 'a server of 2026-07-28',
    start: () => server('modern.js'),
    connect: modern2,
    steps: modernSteps,
    end: 'complete',
  },
  {
    name: 'the same for clients of older revisions',
    start: () => server('modern.js', 'stateless'),
    connect: streamable1,
    steps: statelessSteps,
    end: 'complete',
  },
];
