import type { CallOptions, Peer, WireMessage } from './peer.ts';
import { failure } from './transcript.ts';

/** One thing a client does with server-everything; what it returns goes into the transcript. */
export interface Step {
  name: string;
  run(peer: Peer): Promise<unknown>;
  /** Makes a cassette of megabytes; left out of cassettes that people read. */
  large?: true;
}

const MEGABYTE = 1024 * 1024;

/** Texts that break careless readers: of every plane, of every kind of line end, and of none. */
export const AWKWARD_TEXTS: readonly string[] = [
  '漢字かな交じり文、한글, ไทย',
  '👩‍👩‍👧‍👦 🏳️‍🌈 𝔘𝔫𝔦 𠜎',
  'e\u0301 n\u0303 \u202eright to left\u202c',
  'line\u2028separator\u2029and\u0085next\r\nline\n\ttab',
  'nul \u0000, bell \u0007, delete \u007f, mark \ufeff',
  'half a pair \ud83d',
  '- not: "a list" # nor a comment',
];

const DOCUMENT = 'demo://resource/static/document/architecture.md';
const DYNAMIC = 'demo://resource/dynamic/text/7';

/**
 * A session that touches everything server-everything offers and always goes the same. Left out for chance: simulated
 * logging (random levels), tasks (random ids, polling), `get-env`, and elicitation by error (random ids).
 */
export const steps: readonly Step[] = [
  {
    name: 'opens, and gives its roots when asked',
    async run({ opened, heard }) {
      // The server asks 350 ms after `initialized`; what it logs then ends the opening.
      if (!heard.messages.some(isRootsLog)) await heard.next(isRootsLog);
      return opened;
    },
  },
  { name: 'lists the tools, page by page', run: (peer) => pages(peer, 'tools/list') },
  { name: 'lists the prompts', run: (peer) => pages(peer, 'prompts/list') },
  { name: 'lists the resources', run: (peer) => pages(peer, 'resources/list') },
  { name: 'lists the resource templates', run: (peer) => pages(peer, 'resources/templates/list') },
  { name: 'pings', run: (peer) => peer.request('ping') },
  { name: 'calls a tool', run: (peer) => call(peer, 'echo', { message: 'hello' }) },
  { name: 'calls with numbers', run: (peer) => call(peer, 'get-sum', { a: 1, b: 2.5 }) },
  {
    name: 'gets structured output',
    run: (peer) => call(peer, 'get-structured-content', { location: 'Chicago' }),
  },
  { name: 'gets an image', run: (peer) => call(peer, 'get-tiny-image') },
  {
    name: 'gets annotated content',
    run: (peer) => call(peer, 'get-annotated-message', { messageType: 'error', includeImage: true }),
  },
  { name: 'gets resource links', run: (peer) => call(peer, 'get-resource-links', { count: 4 }) },
  {
    name: 'follows the progress of a long call',
    run: (peer) => call(peer, 'trigger-long-running-operation', { duration: 0.2, steps: 4 }, { progress: true }),
  },
  { name: 'asks for all logs', run: (peer) => peer.request('logging/setLevel', { level: 'debug' }) },
  { name: 'reads a document', run: (peer) => peer.request('resources/read', { uri: DOCUMENT }) },
  { name: 'reads a resource of a template', run: (peer) => peer.request('resources/read', { uri: DYNAMIC }) },
  {
    name: 'subscribes, and hears it logged',
    run: (peer) => peer.request('resources/subscribe', { uri: DYNAMIC }),
  },
  { name: 'hears of an update', run: (peer) => call(peer, 'toggle-subscriber-updates') },
  { name: 'stops the updates', run: (peer) => call(peer, 'toggle-subscriber-updates') },
  {
    name: 'unsubscribes with logs turned down',
    async run(peer) {
      await peer.request('logging/setLevel', { level: 'error' });
      const result = await peer.request('resources/unsubscribe', { uri: DYNAMIC });
      await peer.request('logging/setLevel', { level: 'info' });
      return result;
    },
  },
  {
    name: 'makes a resource, hears that the list changed, and reads it',
    async run(peer) {
      const data = `data:text/plain,${encodeURIComponent('tape and wire '.repeat(20))}`;
      const made = await call(peer, 'gzip-file-as-resource', { name: 'note.txt.gz', data });
      const listed = await pages(peer, 'resources/list');
      const uri = 'demo://resource/session/note.txt.gz';
      return { made, listed, read: await peer.request('resources/read', { uri }) };
    },
  },
  {
    name: 'samples for the server',
    run: (peer) => call(peer, 'trigger-sampling-request', { prompt: 'Say something kind', maxTokens: 20 }),
  },
  { name: 'fills in a form for the server', run: (peer) => call(peer, 'trigger-elicitation-request') },
  {
    name: 'opens a page for the server',
    run: (peer) =>
      call(peer, 'trigger-url-elicitation', {
        url: 'https://example.com/consent',
        elicitationId: 'consent-1',
      }),
  },
  {
    name: 'tells that its roots changed',
    async run(peer) {
      const logged = peer.heard.next(isRootsLog);
      await peer.notify('notifications/roots/list_changed');
      await logged;
      return call(peer, 'get-roots-list');
    },
  },
  { name: 'gets a prompt', run: (peer) => peer.request('prompts/get', { name: 'simple-prompt' }) },
  {
    name: 'gets a prompt with arguments',
    run: (peer) => peer.request('prompts/get', { name: 'args-prompt', arguments: { city: 'Paris', state: 'Texas' } }),
  },
  {
    name: 'completes an argument, knowing another',
    run: (peer) =>
      peer.request('completion/complete', {
        ref: { type: 'ref/prompt', name: 'completable-prompt' },
        argument: { name: 'name', value: 'A' },
        context: { arguments: { department: 'Engineering' } },
      }),
  },
  {
    name: 'completes part of a URI',
    run: (peer) =>
      peer.request('completion/complete', {
        ref: { type: 'ref/resource', uri: 'demo://resource/dynamic/text/{resourceId}' },
        argument: { name: 'resourceId', value: '12' },
      }),
  },
  { name: 'calls an unknown tool', run: (peer) => call(peer, 'no-such-tool', { a: 1 }) },
  { name: 'calls with wrong arguments', run: (peer) => call(peer, 'get-sum', { a: 'one' }) },
  { name: 'asks for an unknown method', run: (peer) => peer.request('no/such-method') },
  {
    name: 'reads an unknown resource',
    run: (peer) => peer.request('resources/read', { uri: 'demo://nothing' }),
  },
  {
    name: 'makes twenty calls at once',
    run: (peer) =>
      Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          call(peer, n % 2 ? 'echo' : 'get-sum', { message: `call ${n}`, a: n, b: n }),
        ),
      ),
  },
  {
    name: 'sends and gets a megabyte of text',
    large: true,
    run: (peer) => call(peer, 'echo', { message: 'All work and no play. '.repeat(MEGABYTE).slice(0, MEGABYTE) }),
  },
  {
    name: 'sends and gets texts of every kind',
    run: (peer) => Promise.all(AWKWARD_TEXTS.map((message) => call(peer, 'echo', { message }))),
  },
  {
    // The server goes on unimpressed: half a second later it reports progress again.
    name: 'cancels a long call, and goes on',
    async run(peer) {
      const abort = new AbortController();
      const first = peer.heard.lastProgress();
      const long = call(
        peer,
        'trigger-long-running-operation',
        { duration: 1, steps: 2 },
        { signal: abort.signal, progress: true },
      );
      const outcome = long.catch(failure);
      await first;
      abort.abort('no longer needed');
      return { cancelled: await outcome, next: await call(peer, 'echo', { message: 'still here' }) };
    },
  },
];

function isRootsLog({ method, params }: WireMessage): boolean {
  return method === 'notifications/message' && String(params?.data).startsWith('Roots updated');
}

export async function pages(peer: Peer, method: string): Promise<unknown[]> {
  const found: unknown[] = [];
  let cursor: unknown;
  do {
    const page = (await peer.request(method, cursor === undefined ? undefined : { cursor })) as {
      nextCursor?: unknown;
    };
    found.push(page);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return found;
}

export function call(
  peer: Peer,
  name: string,
  args?: Record<string, unknown>,
  options?: CallOptions,
): Promise<unknown> {
  return peer.request('tools/call', { name, ...(args && { arguments: args }) }, options);
}
