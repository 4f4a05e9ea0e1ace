import { describe, expect, it } from 'vitest';
import type { Frame } from '../../src/channel/frame.ts';
import { lint, RULES } from '../../src/lint/lint.ts';
import { cassette, client, request, server } from '../support/conversation.ts';
import { CASES, call, content, initialize, legacy, line, opened, tools } from './rule-cases.ts';

it('initialize that HTTP refused, as for want of a token, may be said again', () => {
  const [asked, answered, ...rest] = legacy({}, call, content);
  const refusal: Frame = { kind: 'http-response', at: 0, from: 'server', stream: 1, status: 401 };
  const again = [{ ...asked!, stream: 1 }, refusal, { ...asked!, stream: 2 }, { ...answered!, stream: 2 }];
  const broken = (...frames: Frame[]) => lint(cassette(...frames)).map(({ rule }) => rule);
  expect(broken(...again, ...rest)).toEqual(broken(...legacy({}, call, content)));
});

const found = (frames: Frame[]) => lint(cassette(...frames)).map(({ rule, why }) => `${rule}: ${why}`);

it('every rule has its sessions here', () => {
  expect(Object.keys(CASES).sort()).toEqual(RULES.map(({ id }) => id).sort());
});

describe.each(Object.entries(CASES))('%s', (id, { good, bad }) => {
  it('is kept', () => {
    for (const frames of good) expect(found(frames)).toEqual([]);
  });

  it('is broken, once, and nothing else is', () => {
    for (const [why, frames] of bad) {
      const violations = found(frames);
      expect(violations.filter((text) => text.startsWith(`${id}: `))).toEqual([expect.stringContaining(why)]);
    }
  });
});

it('violations stand in the order of the cassette, with who, where and by which sentence', () => {
  const violations = lint(cassette(...legacy({}, line('noise'), client(request(1.5, 'ping')))));
  expect(violations).toMatchObject([
    { rule: 'only-messages', who: 'server', file: 'cassette.yaml', line: 4, severity: 'error' },
    { rule: 'id-type', who: 'client', line: 5, sentence: 'The id of a request is a string or an integer.' },
  ]);
});
it.each([
  ['a cassette written by hand', [call, content], []],
  ['a recorded cassette', [call, content], ['initialize-first']],
  ['a cassette written by hand', [client(initialize()), server(opened(tools)), call, content], []],
  ['a recorded cassette', [client(initialize()), server(opened(tools)), call, content], ['initialized-follows']],
  ['a cassette written by hand', [call, client(initialize()), server(opened(tools)), content], ['initialize-first']],
])('in %s, what is left out of the handshake counts only if it was recorded', (kind, frames, expected) => {
  const session = cassette(...frames);
  if (kind.endsWith('by hand')) delete session.header.recorder;
  const handshake = lint(session).filter(({ rule }) => rule.startsWith('initialize'));
  expect(handshake.map(({ rule }) => rule)).toEqual(expected);
});

it('a server without a handshake may refuse it, and the session goes on without one', () => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const asks = client(request(1, 'tools/list', { _meta }));
  const tried = client(request(2, 'initialize', { _meta }));
  const refused = server({ jsonrpc: '2.0', id: 2, error: { code: -32601, message: 'Method not found' } });
  const subscribed = server({ jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: {} });
  const rules = lint(cassette(asks, subscribed, tried, refused)).map(({ rule }) => rule);
  expect(rules.filter((rule) => /^(?:initialize-first|server-waits)$/.test(rule))).toEqual([]);
  expect(rules).toContain('removed-method');
});

describe('in a session of a later revision', () => {
  const ask = (id: number, revision: string) => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': revision,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    return client(request(id, 'tools/list', { _meta }));
  };
  const bare = (id: number) => server({ jsonrpc: '2.0', id, result: { tools: [] } });
  const unsupported = (id: number) => server({ jsonrpc: '2.0', id, error: { code: -32022, message: 'no' } });
  const severities = (...frames: Frame[]) => [...new Set(lint(cassette(...frames)).map(({ severity }) => severity))];

  it('every violation is a warning, because the rule may have changed', () => {
    expect(severities(ask(1, '2026-07-28'), bare(1))).toEqual(['error']);
    expect(severities(ask(1, '2026-12-15'), bare(1))).toEqual(['warning']);
    expect(severities(...legacy({ version: '2026-12-15' }))).toEqual(['warning']);
  });

  it('that the server refused, the rules of the revision after it hold', () => {
    expect(severities(ask(1, '2026-12-15'), unsupported(1), ask(2, '2026-07-28'), bare(2))).toEqual(['error']);
    expect(severities(ask(1, '2026-12-15'), unsupported(1))).toEqual([]);
  });
});
