import { describe, expect, it } from 'vitest';
import { checkNoticeable } from '../../../src/faults/rules/check-noticeable.ts';
import { parseShortRule } from '../../../src/faults/rules/parse-fault-rules.ts';

const rule = (text: string, from?: 'client' | 'server') => {
  const parsed = parseShortRule(text, 'stdio');
  return from === undefined ? parsed : { ...parsed, when: { ...parsed.when, from } };
};

describe('where a client is tested', () => {
  it.each([
    ['cancel:tools/call', undefined, /It tests a server: .*sweep --server.*"late" tests/],
    ['slice', 'client', /leave out "from: client"/],
    ['junk', 'client', /mcp-record verify or proxy/],
    ['oversize', 'client', /"play: client"/],
    ['slow-reader::rate=1', undefined, /mcp-record proxy.*over stdio, write "when: { from: client }"/],
    ['slow-reader::rate=1', 'server', /mcp-record proxy/],
  ] as const)('%s of messages of the %s is refused', (text, from, next) => {
    const check = () => checkNoticeable([rule('drop'), rule(text, from)], { tested: 'client', name: 'a.yaml' });
    expect(check).toThrow(expect.objectContaining({ code: 'FAULT_NO_MEANING' }));
    expect(check).toThrow(next);
  });

  it.each([
    ['slice', undefined],
    ['drop', 'client'],
    ['latency::delay=5', 'client'],
    ['ignore-cancel', undefined],
    ['error-reply', 'client'],
    ['slow-reader::rate=1', 'client'],
  ] as const)('%s is noticed', (text, from) => {
    expect(() => checkNoticeable([rule(text, from)], { tested: 'client', name: 'a.yaml' })).not.toThrow();
  });
});

it('where a server is tested, a fault of its own messages that only the client notices is refused', () => {
  const options = { tested: 'server', name: 'a.yaml' } as const;
  expect(() => checkNoticeable([rule('slice')], options)).toThrow(/write "when: { from: client }"/i);
  expect(() => checkNoticeable([rule('slice', 'client'), rule('cancel')], options)).not.toThrow();
});

it('where a server is tested, a fault that only the sender notices is one of its own messages', () => {
  const options = { tested: 'server', name: 'a.yaml' } as const;
  const slow = (from: 'client' | 'server') => () => checkNoticeable([rule('slow-reader::rate=1', from)], options);
  expect(slow('client')).toThrow(/message of the client is noticed by its sender alone.*"when: { from: server }"/s);
  expect(slow('server')).not.toThrow();
});
