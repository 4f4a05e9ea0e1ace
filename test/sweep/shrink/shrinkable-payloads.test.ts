import { describe, expect, it } from 'vitest';
import { shrinkablePayloads } from '../../../src/sweep/shrink/shrinkable-payloads.ts';
import { call, cassette, client, notification, request, server } from '../../support/conversation.ts';

const answer = (id: number, result: object) => server({ jsonrpc: '2.0', id, result });
const tool = {
  name: 'weather',
  inputSchema: { type: 'object', properties: { city: { type: 'string', minLength: 2 } }, required: ['city'] },
  outputSchema: { type: 'object', properties: { rain: { type: 'number' } }, required: ['rain'] },
};

const payloads = shrinkablePayloads(
  cassette(
    client(request(1, 'tools/list')),
    answer(1, { tools: [tool, { name: 'broken', inputSchema: { type: 'nothing' } }] }),
    client(call(2, 'weather', { city: 'Oslo', more: true })),
    answer(2, { content: [], structuredContent: { rain: 1, wind: 2, note: 'a storm' } }),
    client(call(3, 'broken', { any: 1 })),
    server({ jsonrpc: '2.0', id: 3, error: { code: -1, message: 'it does not work', data: { long: 1 } } }),
    server(notification('message', { level: 'info', data: 'x' })),
    server([notification('message', { level: 'info', data: 'x' })]),
    client(call(4, 'none')),
  ),
);
const at = (event: number) => payloads.find((one) => one.event === event)!;
const smaller = (event: number, value: unknown) => at(event).withValue(value)?.value;

describe('the payload of', () => {
  it('a call is its arguments, which keep the inputSchema of the tool', () => {
    expect(at(2).value).toEqual({ city: 'Oslo', more: true });
    expect(smaller(2, { city: 'Os' })).toMatchObject({ id: 2, params: { name: 'weather', arguments: { city: 'Os' } } });
    expect(smaller(2, { city: 'O' })).toBeUndefined();
    expect(smaller(2, {})).toBeUndefined();
  });

  it('a result keeps the outputSchema of the tool', () => {
    const shorter = { content: [], structuredContent: { rain: 1, wind: 2, note: 'a s' } };
    expect(smaller(3, shorter)).toMatchObject({ id: 2, result: shorter });
    expect(
      smaller(3, { ...shorter, structuredContent: { ...shorter.structuredContent, note: undefined } }),
    ).toBeUndefined();
    expect(smaller(3, { content: [] })).toBeUndefined();
  });

  it('a tool with an invalid schema is free', () => {
    expect(smaller(4, {})).toMatchObject({ params: { name: 'broken', arguments: {} } });
  });

  it('a list of tools keeps the tools that the client calls, and may lose what describes them', () => {
    const { outputSchema: _, ...described } = tool;
    const broken = { name: 'broken', inputSchema: {} };
    expect(smaller(1, { tools: [described, broken] })).toMatchObject({ result: { tools: [described, broken] } });
    expect(smaller(1, { tools: [described] })).toBeUndefined();
    expect(smaller(1, { tools: [described, { ...broken, name: 'brok' }] })).toBeUndefined();
  });

  it('an error is its message and data, which keep their shape. The code stays', () => {
    expect(at(5).value).toEqual({ text: 'it does not work', data: { long: 1 } });
    expect(smaller(5, {})).toBeUndefined();
    const error = { code: -1, message: 'it', data: { long: 1 } };
    expect(smaller(5, { text: 'it', data: { long: 1 } })).toEqual({ jsonrpc: '2.0', id: 3, error });
  });

  it('a notification is its parameters', () => {
    expect(smaller(6, { level: 'info' })).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'info' },
    });
  });

  it('a batch, and a message without parameters or arguments, is none', () => {
    expect(payloads.map(({ event }) => event)).toEqual([1, 2, 3, 4, 5, 6]);
  });
});
