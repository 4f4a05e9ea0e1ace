import { readdirSync } from 'node:fs';
import { forkOfPage } from '../../src/cli/fork/fork-of-page.ts';
import { WorkState } from '../../src/html-report/browser/live/verification-and-mock-state.ts';
import type { LiveMessage } from '../../src/html-report/data/live-page-protocol.ts';
import { type Clock, systemClock } from '../../src/kernel/clock.ts';
import { createRedactor } from '../../src/redact/redactor.ts';
import { startChild } from '../../src/transports/stdio/child-process.ts';
import { startUiServer } from '../../src/ui/ui-server.ts';
import type { ServerUnderTest } from '../../src/ui/verification/verified-server-types.ts';
import { liveServerOverChannel } from '../../src/verify/run/live-server-over-channel.ts';
import type { Command } from '../support/command.ts';

const KEY = 'the-key';

/** The server under test, as the command line names it. */
export function serverUnderTest({ command, args }: Command, patience = 10_000): ServerUnderTest {
  return {
    name: ['node', ...args.map((word) => word.replace(/.*\//, ''))].join(' '),
    start: async ({ failed, clock = systemClock }) =>
      liveServerOverChannel(startChild({ command: [command, ...args], clock, failed }), clock),
    isHttp: false,
    patience,
    redactor: () => createRedactor({ env: {} }),
    credentials: { env: {} },
    prepareFork: (requested) => forkOfPage(requested, { words: [command, ...args], header: [] }),
  };
}

/** A page of one session or several, without a browser: it listens as the browser does. */
export interface ListeningPage extends AsyncDisposable {
  work: WorkState;
  /** Messages so far. */
  messages: LiveMessage[];
  /** Resolves as soon as the page shows this. */
  until(isShown: (work: WorkState) => boolean | undefined): Promise<void>;
  close(): void;
}

/** The body of a response: text, or JSON with the error of a refused action. */
export type Answered = string | { error?: { code: string; message: string; next: string } };

export interface ServedUi extends AsyncDisposable {
  url: string;
  post(action: string, body: unknown, headers?: Record<string, string>): Promise<{ status: number; body: Answered }>;
  open(...sessions: string[]): Promise<ListeningPage>;
}

/** Starts the server of `mcp-record ui` in this process. */
export async function servedUi(path: string, server?: ServerUnderTest, clock: Clock = systemClock): Promise<ServedUi> {
  const listener = await startUiServer({
    path,
    address: { hostname: '127.0.0.1', port: 0 },
    key: KEY,
    assets: { script: '', style: '' },
    clock,
    redactor: () => createRedactor({ env: {} }),
    ...(server && { server }),
    refused() {},
  });
  const { url } = listener;
  await listed(url, path);
  return {
    url,
    async post(action, body, headers = { 'content-type': 'application/json' }) {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const own = { origin: new URL(url).origin, ...headers };
      const response = await fetch(url + action, { method: 'POST', headers: own, body: text });
      const answer = await response.text();
      const isJson = response.headers.get('content-type') === 'application/json';
      return { status: response.status, body: isJson ? JSON.parse(answer) : answer };
    },
    open: (...sessions) => openPage(url, sessions),
    [Symbol.asyncDispose]: () => listener.close(),
  };
}

/** Resolves when all cassettes of the folder are in the list. */
async function listed(url: string, folder: string): Promise<void> {
  const names = new Set(readdirSync(folder));
  const closing = new AbortController();
  const response = await fetch(`${url}events`, { signal: closing.signal });
  await listen(response, ({ rows = [] }) => {
    for (const { name } of rows) names.delete(name);
    if (names.size === 0) closing.abort();
  }).catch(() => {});
}

async function openPage(url: string, sessions: readonly string[]): Promise<ListeningPage> {
  const closing = new AbortController();
  const response = await fetch(
    `${url}events?${new URLSearchParams(sessions.map((session): [string, string] => ['session', session]))}`,
    {
      signal: closing.signal,
    },
  );
  const work = new WorkState();
  const messages: LiveMessage[] = [];
  const waits = new Set<() => void>();
  const take = (message: LiveMessage) => {
    messages.push(message);
    if (message.work) work.take(message.work);
    for (const wait of waits) wait();
  };
  void listen(response, take).catch(() => {});
  return {
    work,
    messages,
    until: (isShown) =>
      new Promise((resolve) => {
        const look = () => {
          if (!isShown(work)) return;
          waits.delete(look);
          resolve();
        };
        waits.add(look);
        look();
      }),
    close: () => closing.abort(),
    async [Symbol.asyncDispose]() {
      closing.abort();
    },
  };
}

async function listen({ body }: Response, take: (message: LiveMessage) => void): Promise<void> {
  let text = '';
  for await (const piece of body!.pipeThrough(new TextDecoderStream())) {
    const events = (text + piece).split('\n\n');
    text = events.pop()!;
    for (const event of events) take(JSON.parse(event.replaceAll(/^data: ?/gm, '')));
  }
}
