import { describe, expect, it } from 'vitest';
import { contractChanges, worstOf } from '../../src/contract/contract-changes.ts';
import { call, request } from '../support/conversation.ts';

const tools = (...names: string[]) => ({ result: { tools: names.map((name) => ({ name })) } });

describe('answerChanges', () => {
  it('judges lists and introductions by what callers rely on', () => {
    expect(contractChanges(request(1, 'tools/list'), tools('add'), tools('add', 'mul'))).toEqual([
      { severity: 'compatible', path: '/result/tools/1', reason: 'new tool "mul"' },
    ]);
    const introduced = (protocolVersion: string) => ({ result: { protocolVersion } });
    expect(contractChanges(request(1, 'initialize'), introduced('2025-03-26'), introduced('2025-06-18'))).toMatchObject(
      [{ severity: 'breaking' }],
    );
  });

  it('has nothing to say of other answers, nor of errors', () => {
    expect(contractChanges(call(1, 'add'), { result: { a: 1 } }, { result: { a: 2 } })).toEqual([]);
    expect(contractChanges(request(1, 'tools/list'), tools('add'), { error: { code: -1 } })).toEqual([]);
  });
});

describe('worstOf', () => {
  it('names what hurts most, and counts the rest', () => {
    const changes = contractChanges(request(1, 'tools/list'), tools('add', 'sub'), tools('sub', 'mul'));
    expect(worstOf(changes.reverse())).toBe('breaking: tool "add" was removed (and 1 more)');
  });
});
