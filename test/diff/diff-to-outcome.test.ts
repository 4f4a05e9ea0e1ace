import { describe, expect, it } from 'vitest';
import { diffSessions } from '../../src/diff/diff-sessions.ts';
import { diffOutcome } from '../../src/diff/diff-to-outcome.ts';
import { junitXml } from '../../src/text-report/junit.ts';
import { call, client, server } from '../support/conversation.ts';
import { a, b, list, tools } from './cassettes.ts';

describe('diffOutcome', () => {
  it('has one step that passes where the sessions are the same', () => {
    const same = [client(list(1)), server(tools(1, ['add']))];
    expect(diffOutcome(diffSessions(a(...same), b(...same))).steps).toEqual([
      { title: 'a.yaml and b.yaml', file: 'b.yaml', status: 'passed', details: ['1 the same'] },
    ]);
  });

  it('has a failed step for each difference, at its line in the second session or else in the first', () => {
    const before = a(client(list(1)), server(tools(1, ['add'])), client(call(2, 'add')));
    const after = b(client(list(1)), server(tools(1, ['add', 'mul'])));
    const { steps } = diffOutcome(diffSessions(before, after));
    expect(steps).toMatchObject([
      { title: 'tools/list', status: 'failed', file: 'b.yaml', line: 1, hasAllChanges: true },
      { title: 'tools/call "add"', status: 'failed', file: 'a.yaml', line: 3, missingIn: 'b.yaml' },
    ]);
    expect(steps[1]).not.toHaveProperty('hasAllChanges');
  });

  it('names both files in JUnit, since nothing is live', () => {
    const one = [client(call(1, 'add')), server({ jsonrpc: '2.0', id: 1, result: { content: [{ text: 'a' }] } })];
    const other = [client(call(1, 'add')), server({ jsonrpc: '2.0', id: 1, result: { content: [{ text: 'b' }] } })];
    expect(junitXml(diffOutcome(diffSessions(a(...one), b(...other))))).toContain('--- a.yaml:1\n+++ b.yaml:1\n');
  });

  it('has a failed step for other settings', () => {
    const session = [client(call(1, 'add')), server({ jsonrpc: '2.0', id: 1, result: {} })];
    const loose = b(...session);
    loose.events[1]!.match = { ignore: ['/result'] };
    expect(diffOutcome(diffSessions(a(...session), loose)).steps).toMatchObject([
      { title: 'rules and settings', file: 'b.yaml', status: 'failed', headline: '1 with other settings' },
    ]);
  });

  it('does not say of a request that differs, too, that its changes are all', () => {
    const asked = (id: number, extra: object) => ({ ...list(id), params: extra });
    const before = a(client(asked(1, { x: 1 })), server(tools(1, ['add'])));
    const after = b(client(asked(1, { x: 2 })), server(tools(1, ['add', 'mul'])));
    const entries = diffSessions(before, after).entries;
    expect(entries.some(({ hasAllChanges }) => hasAllChanges === true)).toBe(false);
    expect(entries.length).toBeGreaterThan(0);
  });
});
