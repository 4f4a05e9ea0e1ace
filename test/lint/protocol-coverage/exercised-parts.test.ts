import { describe, expect, it } from 'vitest';
import type { Cassette } from '../../../src/cassette/cassette.ts';
import type { Frame } from '../../../src/channel/frame.ts';
import { exercisedParts } from '../../../src/lint/protocol-coverage/exercised-parts.ts';
import { call, cassette, client, notification, request, server } from '../../support/conversation.ts';

const words = (recorded: Cassette) =>
  exercisedParts(recorded).parts.map(({ kind, from, name, line }) => `${line} ${from ?? '-'} ${kind} ${name}`);
const on = (stream: number, frame: Frame): Frame => ({ ...frame, stream });
const overHttp = (...frames: Frame[]): Cassette => {
  const recorded = cassette(...frames);
  return { ...recorded, header: { ...recorded.header, transport: 'http' } };
};
const initialize = (id: number) => request(id, 'initialize', { protocolVersion: '2025-11-25' });
const initialized = (id: number) => ({ jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25' } });

describe('exercisedParts', () => {
  it('has messages of both sides, error codes and declared capabilities, each with its line', () => {
    const recorded = cassette(
      client(request(0, 'initialize', { capabilities: { roots: { listChanged: false }, sampling: {} } })),
      server({
        jsonrpc: '2.0',
        id: 0,
        result: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: { listChanged: true }, experimental: { x: {} } },
        },
      }),
      client(notification('initialized')),
      client(call(1, 'none')),
      server(request(1, 'roots/list')),
      server({ jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'Unknown tool' } }),
    );
    expect(exercisedParts(recorded).revision).toBe('2025-11-25');
    expect(words(recorded)).toEqual([
      '1 client request initialize',
      '4 client request tools/call',
      '5 server request roots/list',
      '3 client notification notifications/initialized',
      '6 - error -32602',
      '1 client capability roots',
      '1 client capability sampling',
      '2 server capability tools',
      '2 server capability tools.listChanged',
      '2 server capability experimental',
      '2 server capability experimental.x',
      '1 - transport stdio',
    ]);
  });

  it('has the requests in results, and the capabilities of a request (2026-07-28)', () => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': { roots: {} },
    };
    const inputRequests = { one: { method: 'roots/list' }, two: 'none' };
    const recorded = cassette(
      client(request(1, 'tools/call', { name: 'add', _meta })),
      server({ jsonrpc: '2.0', id: 1, result: { resultType: 'input_required', inputRequests } }),
    );
    expect(words(recorded)).toEqual([
      '1 client request tools/call',
      '2 server input request roots/list',
      '1 client capability roots',
      '1 - transport stdio',
    ]);
  });

  it('knows HTTP with SSE by the stream of the first answer', () => {
    const sse = overHttp(on(2, client(initialize(0))), on(1, server(initialized(0))));
    const streamable = overHttp(on(1, client(initialize(0))), on(1, server(initialized(0))));
    const unanswered = overHttp(on(1, client(initialize(0))));
    expect([sse, streamable, unanswered].map((recorded) => words(recorded).at(-1))).toEqual([
      '1 - transport HTTP with SSE',
      '1 - transport Streamable HTTP',
      '1 - transport Streamable HTTP',
    ]);
  });

  it('has nothing of an empty cassette', () => {
    expect(exercisedParts(cassette())).toEqual({ file: 'cassette.yaml', parts: [] });
  });
});
