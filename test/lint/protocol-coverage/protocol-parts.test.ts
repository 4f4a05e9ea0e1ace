import { describe, expect, it } from 'vitest';
import { type ProtocolPart, protocolParts } from '../../../src/lint/protocol-coverage/protocol-parts.ts';
import { capabilityOf, isRequestMethod } from '../../../src/protocol/method-table.ts';
import { REVISIONS, type Revision } from '../../../src/protocol/revisions.ts';

const named = (revision: Revision, kind: ProtocolPart['kind'], from?: ProtocolPart['from']) =>
  protocolParts(revision)
    .filter((part) => part.kind === kind && part.from === from)
    .map(({ name }) => name);

describe('protocolParts', () => {
  it('has the requests of both sides', () => {
    expect(named('2025-06-18', 'request', 'client')).toContain('tools/call');
    expect(named('2025-03-26', 'request', 'server')).toEqual(['ping', 'roots/list', 'sampling/createMessage']);
    expect(named('2025-11-25', 'request', 'client')).toContain('tasks/result');
    expect(named('2026-07-28', 'request', 'client')).toContain('subscriptions/listen');
    expect(named('2026-07-28', 'request', 'client')).not.toContain('initialize');
  });

  it('has the requests in results of 2026-07-28, where the server sends none', () => {
    expect(named('2026-07-28', 'request', 'server')).toEqual([]);
    expect(named('2026-07-28', 'input request', 'server')).toEqual([
      'elicitation/create',
      'roots/list',
      'sampling/createMessage',
    ]);
    expect(named('2025-11-25', 'input request', 'server')).toEqual([]);
  });

  it('has notifications, also a single one', () => {
    expect(named('2026-07-28', 'notification', 'client')).toEqual(['notifications/cancelled']);
    expect(named('2025-11-25', 'notification', 'server')).toContain('notifications/elicitation/complete');
  });

  it('has capabilities with those inside them', () => {
    expect(named('2025-11-25', 'capability', 'server')).toEqual(
      expect.arrayContaining(['tools', 'tools.listChanged', 'tasks.requests.tools.call']),
    );
    expect(named('2025-03-26', 'capability', 'server')).toContain('completions');
    expect(named('2024-11-05', 'capability', 'server')).not.toContain('completions');
  });

  it('has error codes and transports', () => {
    expect(named('2025-11-25', 'error')).toEqual([
      '-32700',
      '-32600',
      '-32601',
      '-32602',
      '-32603',
      '-32002',
      '-32042',
    ]);
    expect(named('2026-07-28', 'error')).toEqual(expect.arrayContaining(['-32020', '-32021', '-32022']));
    expect(named('2026-07-28', 'error')).not.toContain('-32002');
    expect(named('2024-11-05', 'transport')).toEqual(['stdio', 'HTTP with SSE']);
    expect(named('2025-03-26', 'transport')).toEqual(['stdio', 'Streamable HTTP']);
  });

  it.each(REVISIONS)('of %s has methods that the method table knows, and capabilities that they need', (revision) => {
    const requests = [...named(revision, 'request', 'client'), ...named(revision, 'request', 'server')];
    expect(requests.filter((method) => !isRequestMethod(method))).toEqual(
      requests.filter((method) => method === 'sampling/createMessage'),
    );
    const declared = [...named(revision, 'capability', 'client'), ...named(revision, 'capability', 'server')];
    const needed = requests.flatMap(
      (method) => capabilityOf(method, { modern: revision >= '2026-07-28' })?.join('.') ?? [],
    );
    const isKnown = (name: string) => declared.includes(name) || (revision === '2024-11-05' && name === 'completions');
    expect(needed.filter((name) => !isKnown(name))).toEqual([]);
  });
});
