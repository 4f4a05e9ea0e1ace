import { describe, expect, it } from 'vitest';
import { journalOf } from '../../src/journal/journal.ts';
import type { JournalEntry } from '../../src/journal/journal-entry.ts';
import { queryProblem } from '../../src/journal/query-problem.ts';
import { systemClock } from '../../src/kernel/clock.ts';

const entry = (method: string, params: object): JournalEntry => {
  const message = { jsonrpc: '2.0', id: 1, method, params } as const;
  return { kind: 'request', method, params: { ...params }, id: 1, message } as JournalEntry;
};
const entries = [entry('tools/call', { name: 'search', arguments: { query: 'rain' } })];
const why = (method: unknown, params?: unknown, more = entries) =>
  queryProblem({ kind: 'request', method, params, entries: more })?.why;

describe('a query that can find no message', () => {
  it.each<[why: string, method: unknown, params?: unknown]>([
    ['MCP has no such method', 'tool/call'],
    ['MCP has no such method', 'search'],
    ['it is the method of a notification', 'notifications/initialized'],
    ['the method is 7', 7],
    ['its params are "search"', 'tools/call', 'search'],
    ['it was given a whole message', 'tools/call', { params: { name: 'search' } }],
    ['its params have no member nme', 'tools/call', { nme: 'search' }],
    ['its params have no member query', 'tools/call', { name: 'search', query: 'rain' }],
    ['its params have no member arguements', 'tools/call', { name: 'search', arguements: { query: 'rain' } }],
    ['/name (Function) is no value of JSON', 'tools/call', { name: (name: string) => name === 'search' }],
    ['/arguments (Set) is no value of JSON', 'tools/call', { arguments: new Set() }],
    ['/arguments/list/0 (Map) is no value of JSON', 'tools/call', { arguments: { list: [new Map()] } }],
  ])('is refused: %s', (expected, method, params) => {
    expect(why(method, params)).toBe(expected);
  });

  it.each<[what: string, method: string, params?: object]>([
    ['a method of MCP', 'prompts/get', { name: 'ask' }],
    ['a method of an extension', 'acme/search', { anything: 1 }],
    ['an expression', 'tools/call', { name: /^s/ }],
    ['an asymmetric matcher', 'tools/call', { name: expect.any(String) }],
    ['a whole asymmetric matcher', 'tools/call', expect.objectContaining({ nme: 'search' })],
    ['a member that is to be absent', 'tools/call', { nme: undefined }],
    ['a date', 'tools/call', { arguments: { day: new Date(0) } }],
    ['metadata', 'tools/call', { _meta: { progressToken: 1 } }],
  ])('is none with %s', (_, method, params) => {
    expect(why(method, params)).toBeUndefined();
  });

  it('is none for what a client has sent, whatever MCP defines', () => {
    const odd = [entry('tool/call', {}), entry('tools/call', { nme: 'search' })];
    expect(why('tool/call', undefined, odd)).toBeUndefined();
    expect(why('tools/call', { nme: 'other' }, odd)).toBeUndefined();
  });

  it('is an error of the journal', () => {
    const source = { entries: () => entries, reset() {}, watch: () => () => {}, clock: systemClock };
    const journal = journalOf(source);
    expect(journal.requests('tools/call', { name: 'search' })).toHaveLength(1);
    expect(() => journal.requests('tool/call')).toThrow(/JOURNAL_BAD_QUERY.*tools\/call/s);
    expect(() => journal.notifications('tools/call')).toThrow('it is the method of a request');
    expect(() => journal.answers('sampling')).toThrow('MCP has no such method');
  });
});
