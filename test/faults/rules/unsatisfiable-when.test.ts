import { describe, expect, it } from 'vitest';
import { FAULTS } from '../../../src/faults/fault-table.ts';
import { parseFaultRules } from '../../../src/faults/rules/parse-fault-rules.ts';
import { whyUnsatisfiable } from '../../../src/faults/rules/unsatisfiable-when.ts';

describe('nothing that is ever said', () => {
  it.each([
    [{ tool: 'a', prompt: 'b' }, 'no message is about a tool and a prompt'],
    [{ tool: 'a', resource: 'b' }, 'no message is about a tool and a resource'],
    [{ tool: 'a', method: 'tools/list' }, '"tools/list" names no tool'],
    [{ prompt: 'a', method: 'tools/call' }, '"tools/call" names no prompt'],
    [{ kind: 'notification', method: 'tools/call' }, '"tools/call" is a request, and no notification'],
    [
      { kind: 'request', method: 'notifications/progress' },
      '"notifications/progress" is a notification, and no request',
    ],
    [{ kind: 'request', at: { '/result/x': 1 } }, 'no request has "result"'],
    [{ kind: 'response', at: { '/params': {} } }, 'no response has "params"'],
    [{ kind: 'notification', at: { '/id': 1 } }, 'no notification has "id"'],
    [{ at: { '/method': 'a', '/error/code': 1 } }, 'no message has "method" and "error"'],
    [{ from: 'client', kind: 'end', method: 'tools/call' }, '"kind: end" is not a message, and has no "method"'],
    [{ kind: 'start', tool: 'a' }, '"kind: start" is not a message, and has no "tool"'],
    [{ from: 'client', kind: 'open', at: {} }, '"kind: open" is not a message, and has no "at"'],
    [{ kind: 'open' }, '"kind: open" is said by the client alone'],
    [
      { kind: 'request', method: 'tools/call' },
      'only the client sends "tools/call", and the rule is about messages of the server',
    ],
    [
      { kind: 'request', tool: 'a' },
      'only the client sends "tools/call", and the rule is about messages of the server',
    ],
    [
      { from: 'client', kind: 'response', prompt: 'a' },
      'only the server answers "prompts/get", and the rule is about messages of the client',
    ],
    [
      { kind: 'response', method: 'roots/list' },
      'only the client answers "roots/list", and the rule is about messages of the server',
    ],
    [
      { method: 'notifications/initialized' },
      'only the client sends "notifications/initialized", and the rule is about messages of the server',
    ],
    [
      { from: 'client', method: 'notifications/message' },
      'only the server sends "notifications/message", and the rule is about messages of the client',
    ],
  ] as const)('is %j', (when, why) => {
    expect(whyUnsatisfiable(when)).toBe(why);
    const written = { faults: [{ do: 'drop', when }] };
    const placeOf = (path: readonly unknown[]) => ({ file: `${path.join('.')}`, line: 3 });
    const read = () => parseFaultRules(written, { name: 'faults.yaml', transport: 'http', placeOf });
    if ('kind' in when && when.kind === 'start') return;
    expect(read).toThrow(/the rule could never fire: .*\[FAULT_BAD_RULE\]\n {2}at faults\.0\.when:3/s);
  });
});

describe('something may be', () => {
  it.each([
    [{}],
    [{ tool: 'a', method: 'tools/call', kind: 'response' }],
    [{ tool: 'a', method: 'notifications/progress' }],
    [{ resource: 'a', method: 'resources/subscribe' }],
    [{ kind: 'notification', method: 'custom/told' }],
    [{ kind: 'request', method: 'custom/asked', at: { '/params/x': 1, '/id': 1 } }],
    [{ at: { '/id': 1, '/method': 'x' } }],
    [{ kind: 'end', from: 'server' }],
    [{ method: 'tools/call', from: 'client' }],
    [{ method: 'roots/list', from: 'client' }],
    [{ kind: 'request', method: 'ping' }],
    [{ kind: 'response', method: 'tasks/get', from: 'client' }],
    [{ method: 'notifications/cancelled', from: 'client' }],
    [{ method: 'notifications/acme', from: 'client' }],
    [{ tool: 'a', kind: 'notification' }],
    [{ kind: 'open', from: 'client', method: 'GET' }],
  ] as const)('%j', (when) => expect(whyUnsatisfiable(when)).toBeUndefined());

  it.each([...FAULTS])('what "%s" is about unless it is said otherwise', (_, { when = {} }) => {
    expect(whyUnsatisfiable(when)).toBeUndefined();
  });
});
