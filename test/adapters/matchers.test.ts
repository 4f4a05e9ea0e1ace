import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Asked, matchers } from '../../src/adapters/matchers.ts';
// The types of the matchers stand there.
import type {} from '../../src/adapters/vitest.ts';
import type { Request } from '../../src/protocol/message.ts';
import { temporaryFolder } from '../support/tape.ts';

expect.extend(matchers);

const tape = join(temporaryFolder(), 'tape.yaml');
writeFileSync(
  tape,
  `format: mcp-record/1
transport: stdio
events:
- client: { jsonrpc: "2.0", id: 0, method: ping }
- server: { jsonrpc: "2.0", id: 0, result: {} }
- client: { jsonrpc: "2.0", id: 1, method: tools/call, params: { name: add, arguments: { a: 1, b: 2 } } }
- server: { jsonrpc: "2.0", id: 1, result: { content: [] } }
`,
);

const ping = { id: 'x', method: 'ping' };
const add = (a: number) => ({ id: 7, method: 'tools/call', params: { name: 'add', arguments: { b: 2, a } } });

const asked = (...requests: Request[]): Asked => ({
  received: (method) => requests.filter((request) => method === undefined || request.method === method),
});

/** What a matcher throws. */
function thrown(check: () => void): { message: string; expected?: unknown; actual?: unknown } {
  try {
    check();
  } catch (error) {
    return error as Error;
  }
  throw new Error('It passed.');
}

describe('toHaveReceivedRequest', () => {
  it('looks for a method, and for params that are among others', () => {
    expect(asked(ping, add(1))).toHaveReceivedRequest('ping');
    expect(asked(add(1))).toHaveReceivedRequest('tools/call', { arguments: { a: 1 } });
    expect(asked(add(1))).toHaveReceivedRequest('tools/call', { name: expect.stringMatching(/^a/) });
    expect(asked(add(1))).not.toHaveReceivedRequest('tools/call', { arguments: { a: 2 } });
    expect(asked(ping)).not.toHaveReceivedRequest('tools/call');
  });

  it('says what came instead, so that it can be drawn', () => {
    const wanted = { arguments: { a: 2 } };
    const error = thrown(() => expect(asked(add(1))).toHaveReceivedRequest('tools/call', wanted));
    expect(error).toMatchObject({ expected: wanted, actual: add(1).params });
    expect(error.message).toContain(
      'expected a request tools/call with these params; there came 1 request of that method',
    );
    const other = thrown(() => expect(asked(ping, ping)).toHaveReceivedRequest('tools/list'));
    expect(other.message).toContain('there came only ping');
    const none = thrown(() => expect(asked()).toHaveReceivedRequest('tools/list'));
    expect(none.message).toContain('there came none');
    const any = thrown(() => expect(asked(ping)).not.toHaveReceivedRequest('ping'));
    expect(any.message).toContain('expected no request ping');
  });
});

describe('toMatchSession', () => {
  it('compares all that was asked with the tape, but for ids and the order of keys', () => {
    expect(asked(ping, add(1))).toMatchSession(tape);
    expect(asked(add(1), ping)).not.toMatchSession(tape);
    expect(asked(ping)).not.toMatchSession(tape);
    expect(asked(ping, add(1), ping)).not.toMatchSession(tape);
  });

  it('draws the difference', () => {
    const { expected, actual } = thrown(() => expect(asked(ping, add(2))).toMatchSession(tape));
    expect(expected).toEqual([
      { method: 'ping', params: {} },
      { method: 'tools/call', params: { name: 'add', arguments: { a: 1, b: 2 } } },
    ]);
    expect(actual).toMatchObject([{}, { params: { arguments: { a: 2 } } }]);
  });
});
