import { describe, expect, it } from 'vitest';
import type { Cassette } from '../../../../src/cassette/cassette.ts';
import { systemClock } from '../../../../src/kernel/clock.ts';
import { META } from '../../../../src/protocol/meta.ts';
import { httpServer } from '../../../../src/sweep/server/connect-to-http-server.ts';
import { BAD_INPUT } from '../../../../src/sweep/server/inputs/input-verdict-kinds.ts';
import type { InputResult } from '../../../../src/sweep/server/inputs/sweep-inputs.ts';
import { parseUpstream } from '../../../../src/transports/http/upstream/parse-upstream.ts';
import { server as httpProcess } from '../../../e2e/http/processes.ts';
import { cassette, client, notification, request, server } from '../../../support/conversation.ts';
import { fixture, Running } from '../../../support/process.ts';
import { overStdio, sessionOf, sweepInputsOf } from './swept-inputs.ts';

const said = ({ point, verdict, why }: InputResult) => `${point.name} ${verdict}: ${why}`;

/** Sweeps a server, and returns the results. */
async function resultsOf(sdk: string): Promise<InputResult[]> {
  const program = fixture('swept-sdk-tools.js', sdk);
  const played: Cassette = await sessionOf(program, [['greet', { name: 'Ada' }, 'Hello, Ada']]);
  return sweepInputsOf(overStdio(program), { played, seed: 1, deadline: 5_000 });
}

describe('a server on an official SDK is not accused of anything', () => {
  it.each(['sdk-1', 'sdk-2'])('%s with Zod 4', async (sdk) => {
    const results = await resultsOf(sdk);
    expect(results.filter(({ verdict }) => !['passed', 'refused'].includes(verdict)).map(said)).toEqual([]);
    expect(results.length).toBeGreaterThan(13);
  });

  it('sdk-1 with Zod 3, whose schemas forbid what it ignores', async () => {
    const results = await resultsOf('sdk-1-zod-3');
    expect(results.filter(({ verdict }) => BAD_INPUT.has(verdict)).map(said)).toEqual([]);
    const ignored = results.filter(({ verdict }) => verdict === 'ignored');
    expect(ignored.map(({ point }) => point.fault)).toEqual(ignored.map(() => 'additional-property'));
    expect(ignored.length).toBeGreaterThan(0);
  });
});

it('a tool that asks its client is not accused, though an inserted call asks as the recorded one does', async () => {
  const program = fixture('asking-server.js');
  const clientInfo = { name: 'swept', version: '1' };
  const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
  const tools = [{ name: 'sign', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }];
  const serverInfo = { name: 'asking', version: '1' };
  const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
  const capabilities = { elicitation: { form: {} } };
  const played = cassette(
    client(request(0, 'initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo })),
    server({ jsonrpc: '2.0', id: 0, result }),
    client(notification('initialized')),
    client(request(1, 'tools/list')),
    server({ jsonrpc: '2.0', id: 1, result: { tools } }),
    client(request(2, 'tools/call', { name: 'sign' })),
    server(request(0, 'elicitation/create', { mode: 'form', message: 'Who signs?', requestedSchema })),
    client({ jsonrpc: '2.0', id: 0, result: { action: 'accept', content: { name: 'Ann' } } }),
    server({ jsonrpc: '2.0', id: 2, result: { content: [{ type: 'text', text: 'signed Ann' }] } }),
  );
  const results = await sweepInputsOf(overStdio(program), { played, deadline: 5_000 });
  expect(results.length).toBeGreaterThan(0);
  expect(results.filter(({ verdict }) => !['passed', 'refused'].includes(verdict)).map(said)).toEqual([]);
});

/** Asks a server over HTTP that keeps no sessions for its tools, as the revision wants it. */
async function toolsOf(url: string, list: object, headers: Record<string, string>): Promise<object> {
  const accept = 'application/json, text/event-stream';
  const body = JSON.stringify(list);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, ...headers },
    body,
  });
  const text = await response.text();
  return JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? text);
}

describe('a server on an official SDK over HTTP is not accused of anything', () => {
  const accusationsOf = async (url: string, played: Cassette) => {
    const target = httpServer({ upstream: parseUpstream(url), clock: systemClock });
    const results = await sweepInputsOf(target, { played, destructive: true, deadline: 5_000 });
    expect(results.length).toBeGreaterThan(2);
    return results.filter(({ verdict }) => !['passed', 'refused'].includes(verdict)).map(said);
  };

  it('sdk-1, without sessions', async () => {
    await using running = new Running(fixture('documents/server.js', '0'));
    const url = await running.line();
    const clientInfo = { name: 'swept', version: '1' };
    const list = request(1, 'tools/list');
    const played = cassette(
      client(request(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })),
      server({
        jsonrpc: '2.0',
        id: 0,
        result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: clientInfo },
      }),
      client(notification('initialized')),
      client(list),
      server(await toolsOf(url, list, { 'mcp-protocol-version': '2025-11-25' })),
    );
    expect(await accusationsOf(url, played)).toEqual([]);
  });

  it('sdk-2, of 2026-07-28', async () => {
    await using running = await httpProcess('modern.js');
    const url = running.url.href;
    const clientInfo = { name: 'swept', version: '1' };
    const _meta = {
      [META.protocolVersion]: '2026-07-28',
      [META.clientInfo]: clientInfo,
      [META.clientCapabilities]: {},
    };
    const list = request(1, 'tools/list', { _meta });
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
    const listed = (await toolsOf(url, list, headers)) as { result: { tools: { name: string }[] } };
    // Other tools of this server wait for a person, or for their time.
    const tools = listed.result.tools.filter(({ name }) => name === 'echo' || name === 'add');
    const played = cassette(client(list), server({ ...listed, result: { ...listed.result, tools } }));
    expect(await accusationsOf(url, played)).toEqual([]);
  });
});
