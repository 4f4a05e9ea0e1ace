import { describe, expect, it } from 'vitest';
import { VOLATILE } from '../../src/match/default-ignore-pointers.ts';
import { without } from '../../src/match/ignore-rules.ts';
import { META } from '../../src/protocol/meta.ts';

const left = (message: unknown) => without(message, VOLATILE);

describe('what is volatile', () => {
  it.each([
    ['the id of an answer', { id: 7, result: {} }, { result: {} }],
    ['a cursor', { result: { nextCursor: 'x', tools: [] } }, { result: { tools: [] } }],
    [
      'a task and its times',
      { result: { task: { taskId: 'x', createdAt: 'now', status: 'working' } } },
      { result: { task: { taskId: '[any string]', createdAt: '[any string]', status: 'working' } } },
    ],
    [
      'the version of the server',
      { result: { serverInfo: { name: 's', version: '1' } } },
      { result: { serverInfo: { name: 's', version: '[any string]' } } },
    ],
    [
      'the same of 2026-07-28',
      { result: { _meta: { [META.serverInfo]: { name: 's', version: '1' } } } },
      { result: { _meta: { [META.serverInfo]: { name: 's', version: '[any string]' } } } },
    ],
    [
      'when a resource changed',
      { result: { contents: [{ uri: 'a', annotations: { lastModified: 'x', priority: 1 } }] } },
      { result: { contents: [{ uri: 'a', annotations: { priority: 1 } }] } },
    ],
    [
      'the time in a log',
      { params: { level: 'info', data: { timestamp: 'x', text: 'y' } } },
      { params: { level: 'info', data: { text: 'y' } } },
    ],
  ])('%s', (_what, message, rest) => {
    expect(left(message)).toEqual(rest);
  });

  it.each([
    ['a cursor that is null', { result: { nextCursor: null, tools: [] } }],
    ['a cursor that is a number', { result: { nextCursor: 5, tools: [] } }],
    ['a version that is a number', { result: { serverInfo: { name: 's', version: 1 } } }],
    ['a task id that is a number', { result: { taskId: 1, status: 'working' } }],
    ['a time that is a number', { result: { contents: [{ uri: 'a', annotations: { lastModified: 1 } }] } }],
    ['a lifetime that is a text', { result: { ttlMs: '5' } }],
  ])('is not %s', (_what, message) => {
    expect(left(message)).toEqual(message);
  });

  it('is not whether a value is there that the specification requires', () => {
    const version = '1';
    expect(left({ result: { serverInfo: { name: 's' } } })).not.toEqual(
      left({ result: { serverInfo: { name: 's', version } } }),
    );
    expect(left({ result: { ttlMs: null } })).toEqual(left({ result: { ttlMs: 60_000 } }));
  });

  it('is nothing that a tool says', () => {
    const said = {
      result: { content: [{ type: 'text', text: 'x' }], structuredContent: { taskId: 1, ttl: 2, id: 3 } },
    };
    expect(left(said)).toEqual(said);
  });
});
