import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client as Client2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { framesOf, freeNames, temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord, recorded } from '../../support/command.ts';

const folder = temporaryFolder();
const names = freeNames(folder);
const SLOW = join(folder, 'slow.yaml');
const info = { name: 'cancels', version: '1' };

// The server asks for roots while it works on the call, and goes on when it has them: so that the client can give the call
// up at a time that no clock decides.
writeFileSync(
  SLOW,
  `format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: a, version: "1" } } }
- server: { id: 0, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: slow, version: "1" } } }
- client: { method: notifications/initialized }
- client: { id: 1, method: tools/call, params: { name: slow, _meta: { progressToken: 1 } } }
- server: { id: 0, method: roots/list }
- client: { id: 0, result: { roots: [] } }
- server: { method: notifications/progress, params: { progressToken: 1, progress: 1 } }
- server: { id: 1, result: { content: [{ type: text, text: slow }] } }
- client: { id: 2, method: tools/call, params: { name: next } }
- server: { id: 2, result: { content: [{ type: text, text: next }] } }
- client: { id: 3, method: tools/call, params: { name: last } }
- server: { id: 3, result: { content: [{ type: text, text: last }] } }
`,
);

interface Options {
  signal?: AbortSignal;
  onprogress?: () => void;
}

/** What both clients can do. */
interface Peer {
  call(name: string, options?: Options): Promise<unknown>;
  close(): Promise<void>;
  errors: string[];
}

type Connect = (server: { command: string; args: string[] }, roots: () => void) => Promise<Peer>;

const clients: Record<string, Connect> = {
  'sdk 1.x': async ({ command, args }, roots) => {
    const client = new Client1(info, { capabilities: { roots: {} } });
    const errors: string[] = [];
    client.onerror = ({ message }) => void errors.push(message);
    client.setRequestHandler(ListRootsRequestSchema, () => {
      roots();
      return { roots: [] };
    });
    await client.connect(new Stdio1({ command, args, stderr: 'ignore' }));
    const call: Peer['call'] = (name, options) => client.callTool({ name }, undefined, options);
    return { call, close: () => client.close(), errors };
  },
  'client 2.x': async ({ command, args }, roots) => {
    const client = new Client2(info, { capabilities: { roots: {} } });
    const errors: string[] = [];
    client.onerror = ({ message }) => void errors.push(message);
    client.setRequestHandler('roots/list', () => {
      roots();
      return { roots: [] };
    });
    await client.connect(new Stdio2({ command, args, stderr: 'ignore' }));
    const call: Peer['call'] = (name, options) => client.callTool({ name }, options);
    return { call, close: () => client.close(), errors };
  },
};

/** The messages of a cassette, in a word each. */
function wire(cassette: string): string[] {
  return framesOf(cassette).flatMap((frame) => {
    if (frame.kind !== 'message') return [];
    const { method, id, params, result } = frame.json.value as Said;
    const arrow = frame.from === 'client' ? '→' : '←';
    if (method === undefined) return [`${arrow} ${result?.content?.[0]?.text ?? `answer to ${id}`}`];
    return [`${arrow} ${method}${params?.name ? ` ${params.name}` : ''}`];
  });
}

interface Said {
  method?: string;
  id?: unknown;
  params?: { name?: string };
  result?: { content?: { text: string }[] };
}

const SLOW_ONES = [
  '→ tools/call slow',
  '← roots/list',
  '→ notifications/cancelled',
  '← notifications/progress',
  '← slow',
];
const isOfSlow = (line: string) => SLOW_ONES.includes(line);

describe.each(Object.entries(clients))('%s', (name, connect) => {
  /** A session in which the slow call is given up when the server asks for roots, and then another call is made. */
  async function session(
    faults: readonly object[],
    during: (peer: Peer, controller: AbortController) => Promise<unknown>,
  ) {
    const cassette = names();
    const [rules, journal] = [`${cassette}.faults`, `${cassette}.journal`];
    writeFileSync(rules, JSON.stringify({ faults }));
    writeFileSync(journal, '');
    const controller = new AbortController();
    const server = recorded(cassette, mcpRecord('replay', '--faults', rules, '--journal', journal, SLOW));
    const peer = await connect(server, () => controller.abort('enough'));
    const slow = await during(peer, controller).then(() => 'answered', String);
    const next = await peer.call('next');
    // What the client has still to say of the slow call, and the server of it, is said before this is answered.
    await peer.call('last');
    await peer.close();
    const fired = readFileSync(journal, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { fault: string }).fault);
    return { slow, next, wire: wire(cassette), errors: peer.errors, fired };
  }

  const aborted = expect.stringMatching(/enough|abort/i);
  const NEXT = { content: [{ text: 'next' }] };
  const givenUp = (peer: Peer, { signal }: AbortController) => peer.call('slow', { signal, onprogress: () => {} });

  it('gives a call up before its answer, and a server that obeys says no more of it', async () => {
    const { slow, next, wire } = await session([], givenUp);
    expect([slow, next]).toMatchObject([aborted, NEXT]);
    expect(wire.filter(isOfSlow)).toEqual(['→ tools/call slow', '← roots/list', '→ notifications/cancelled']);
  });

  it('gives a call up as it makes it', async () => {
    const { slow, next, wire } = await session([], async (peer, controller) => {
      const call = peer.call('slow', { signal: controller.signal });
      controller.abort('enough');
      return call;
    });
    expect([slow, next]).toMatchObject([aborted, NEXT]);
    // 2.x has not written the request yet, and then does not.
    const said = ['→ tools/call slow', '→ notifications/cancelled'];
    // The server may ask for roots between the two, since it reads each as it arrives.
    const ofClient = wire.filter((line) => isOfSlow(line) && line.startsWith('→'));
    expect(ofClient).toEqual(name === 'sdk 1.x' ? said : []);
    expect(wire).not.toContain('← slow');
  });

  it('takes no harm from an answer that crosses its cancel', async () => {
    const late = { do: 'late', when: { tool: 'slow', kind: 'response' } };
    const { slow, next, wire, fired } = await session([late, { do: 'ignore-cancel' }], givenUp);
    expect([slow, next]).toMatchObject([aborted, NEXT]);
    expect(fired).toEqual(['ignore-cancel', 'late']);
    expect(wire.filter(isOfSlow).slice(-2)).toEqual(['← notifications/progress', '← slow']);
  });

  it('takes no harm from a server that ignores a cancel, goes on with progress, and answers', async () => {
    const { slow, next, wire, errors } = await session([{ do: 'ignore-cancel' }], givenUp);
    expect([slow, next]).toMatchObject([aborted, NEXT]);
    expect(wire.filter(isOfSlow)).toEqual([
      '→ tools/call slow',
      '← roots/list',
      '→ notifications/cancelled',
      '← notifications/progress',
      '← slow',
    ]);
    expect(errors.join()).toMatch(/progress notification for an unknown token/i);
  });

  it('takes no harm from giving a call up after its answer', async () => {
    const { slow, next, wire } = await session([], async (peer) => {
      const late = new AbortController();
      await peer.call('slow', { signal: late.signal });
      late.abort('enough');
    });
    expect([slow, next]).toMatchObject(['answered', NEXT]);
    // 1.x cancels also what was answered.
    const cancels = wire.slice(wire.indexOf('← slow')).filter((line) => line === '→ notifications/cancelled');
    expect(cancels).toHaveLength(name === 'sdk 1.x' ? 1 : 0);
  });
});
