import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reasonText, SERVER_VERDICTS } from '../../../src/sweep/server/judge/server-verdict-kinds.ts';
import type { ClientMessage, Misbehaviour } from '../../../src/sweep/server/misbehaviour.ts';
import { MISBEHAVIOURS } from '../../../src/sweep/server/misbehaviour-table.ts';
import { call, client, notification, request } from '../../support/conversation.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'sweep-server-reference.md'), 'utf8');

const message = (kind: ClientMessage['kind'], method: string, said: unknown): ClientMessage => {
  const frame = client(said);
  if (frame.kind !== 'message') throw new Error('no message');
  const { json } = frame;
  return {
    kind,
    method,
    entry: { index: 0, event: 0, line: 1, at: 0, from: 'client', frame, json, message: json.value as never },
  };
};
const KINDS: Record<string, ClientMessage> = {
  initialize: message('request', 'initialize', request(0, 'initialize')),
  requests: message('request', 'tools/call', call(1, 'add')),
  notifications: message('notification', 'notifications/initialized', notification('initialized')),
  answers: message('response', 'sampling/createMessage', { jsonrpc: '2.0', id: 1, result: {} }),
};

/** The row of the page for a misbehaviour. */
function rowOf({ name, doc, transports, concerns }: Misbehaviour): string {
  const about = Object.keys(KINDS).filter((kind) => concerns?.(KINDS[kind]!, 'stdio') ?? true);
  const at = about.length === Object.keys(KINDS).length ? 'each message' : about.join(', ');
  const over = (transport: 'stdio' | 'http') => (transports.includes(transport) ? 'yes' : '');
  return `| \`${name}\` | ${at} | ${doc.replace(/^It /, '').replace(/\.$/, '')} | ${over('stdio')} | ${over('http')} |`;
}

it('the page has a row for each misbehaviour, in the order of the table', () => {
  const rows = page.split('\n').filter((line) => /^\| `[a-z-]+` \| .* \| (?:yes)? \| (?:yes)? \|$/.test(line));
  expect(rows).toEqual([...MISBEHAVIOURS.values()].map(rowOf));
});

/** Misbehaviours that no section of the specification is about. */
const WITHOUT_RULE = [
  'duplicate',
  'equal-ids',
  'out-of-order',
  'latency',
  'oversize',
  'error-reply',
  'drop',
  'wrong-id',
];

describe('each bad verdict', () => {
  it.each([...SERVER_VERDICTS.bad].filter((verdict) => verdict !== 'unreached'))(
    '%s names a section of the specification, or says that there is no rule',
    (verdict) => {
      for (const { source, name } of MISBEHAVIOURS.values()) {
        expect(reasonText({ verdict, why: 'x', ...(source && { source }) }), name).toBe(
          source === undefined ? 'x (no rule; surprising)' : `x (${source})`,
        );
      }
    },
  );

  it('has a section for each misbehaviour but those without a rule', () => {
    const bare = [...MISBEHAVIOURS.values()].filter(({ source }) => source === undefined);
    expect(bare.map(({ name }) => name)).toEqual(WITHOUT_RULE);
    for (const { source = 'x' } of MISBEHAVIOURS.values()) expect(source).not.toBe('');
  });
});

describe('each misbehaviour', () => {
  it.each([...MISBEHAVIOURS])('%s is a fault that its transports know', (_, { transports, fault }) => {
    for (const transport of transports) {
      expect(fault(KINDS.requests!, {}).kind.transports).toContain(transport);
    }
  });
});
