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
      { result: { task: { status: 'working' } } },
    ],
    [
      'the version of the server',
      { result: { serverInfo: { name: 's', version: '1' } } },
      { result: { serverInfo: { name: 's' } } },
    ],
    [
      'the same of 2026-07-28',
      { result: { _meta: { [META.serverInfo]: { name: 's', version: '1' } } } },
      { result: { _meta: { [META.serverInfo]: { name: 's' } } } },
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

  it('is nothing that a tool says', () => {
    const said = {
      result: { content: [{ type: 'text', text: 'x' }], structuredContent: { taskId: 1, ttl: 2, id: 3 } },
    };
    expect(left(said)).toEqual(said);
  });
});
