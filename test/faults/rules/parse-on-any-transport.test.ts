import { describe, expect, it } from 'vitest';
import type { FaultTransport } from '../../../src/faults/fault.ts';
import { parseOnAnyTransport } from '../../../src/faults/rules/parse-on-any-transport.ts';

/** Parses a rule that has a meaning on these transports, and names the one on which it was parsed. */
const parseOf =
  (...meaningful: FaultTransport[]) =>
  (transport: FaultTransport): string => {
    if (meaningful.includes(transport)) return `parsed for ${transport}`;
    throw new Error(`no meaning on ${transport}`);
  };

describe('parseOnAnyTransport', () => {
  it('parses for the first transport on which the rule has a meaning', () => {
    expect(parseOnAnyTransport(['stdio', 'http'], parseOf('stdio', 'http'))).toBe('parsed for stdio');
    expect(parseOnAnyTransport(['stdio', 'memory', 'http'], parseOf('http'))).toBe('parsed for http');
  });

  it('throws the error for the first transport, if the rule has a meaning on none', () => {
    expect(() => parseOnAnyTransport(['stdio', 'http'], parseOf())).toThrow('no meaning on stdio');
    expect(() => parseOnAnyTransport(['http'], parseOf('stdio'))).toThrow('no meaning on http');
  });

  it('parses a fault that no table has for memory, whose error then says so', () => {
    expect(() => parseOnAnyTransport([], parseOf())).toThrow('no meaning on memory');
  });
});
