import { describe, expect, it } from 'vitest';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { createRedactor, type RedactorOptions } from '../../../src/redact/redactor.ts';
import type { RedactionRule } from '../../../src/redact/rules/compile-redaction-rules.ts';

const KEY = 'acme_live_Zk38qPw91';
const PATTERN: RedactionRule = { pattern: 'acme_live_[A-Za-z0-9]+' };

/** Returns a function that redacts message after message, and the redactor. */
function redactorBy(rules: RedactionRule[], options: Partial<RedactorOptions> = {}) {
  const redactor = createRedactor({ env: {}, rules, ...options });
  return { redactor, redact: (value: unknown) => redactor.json(new JsonText(JSON.stringify(value))).value };
}

describe('a rule of a user, in what client and server repeat', () => {
  it.each<[kind: string, rule: RedactionRule, redacted: string]>([
    ['pattern', PATTERN, 'c_[redacted:pattern:1]'],
    ['function', { test: (text) => text.includes('acme_live') }, '[redacted:rule:1]'],
    ['key', { key: /cursor/i, name: 'cursor' }, '[redacted:cursor:1]'],
    ['key of one side', { key: 'nextCursor' }, '[redacted:nextCursor:1]'],
    ['pointer of one side', { pointer: '/result/nextCursor' }, '[redacted:nextCursor:1]'],
  ])('%s: redacts nextCursor and cursor alike', (_, rule, redacted) => {
    const { redact } = redactorBy([rule]);
    expect(redact({ id: 1, result: { nextCursor: `c_${KEY}` } })).toEqual({ id: 1, result: { nextCursor: redacted } });
    expect(redact({ id: 2, method: 'tools/list', params: { cursor: `c_${KEY}` } })).toEqual({
      id: 2,
      method: 'tools/list',
      params: { cursor: redacted },
    });
  });

  it.each(['requestState', 'taskId', 'elicitationId'])('redacts %s', (key) => {
    const { redact } = redactorBy([PATTERN]);
    expect(redact({ id: 1, result: { [key]: KEY } })).toEqual({ id: 1, result: { [key]: '[redacted:pattern:1]' } });
  });

  it('looks into base64 and JSON, and keeps what built-in detectors find', () => {
    const { redact } = redactorBy([PATTERN]);
    const token = 'ghp_1a2B3c4D5e6F7g8H9i0J1k2L3m4N5o6P7q8R';
    const inner = JSON.stringify({ after: KEY, password: 'zebra-92-lamp', token });
    const safe = inner.replace(KEY, '[redacted:pattern:1]');
    expect(redact({ id: 1, result: { nextCursor: inner } })).toEqual({ id: 1, result: { nextCursor: safe } });
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    expect(redact({ id: 1, result: { nextCursor: base64(inner) } })).toEqual({
      id: 1,
      result: { nextCursor: base64(safe) },
    });
  });

  it('redacts a value there that a rule has redacted elsewhere, even a short one', () => {
    const { redact } = redactorBy([{ key: 'page' }]);
    expect(redact({ id: 1, result: { structuredContent: { page: 'p2' }, nextCursor: 'p2' } })).toEqual({
      id: 1,
      result: { structuredContent: { page: '[redacted:page:1]' }, nextCursor: '[redacted:page:1]' },
    });
  });

  it('leaves an allowed value', () => {
    const { redact, redactor } = redactorBy([PATTERN], { allow: [KEY] });
    const message = { id: KEY, result: { nextCursor: `c_${KEY}` } };
    expect(redact(message)).toEqual(message);
    expect(redactor.hasUnredactable()).toBe(false);
  });
});

describe('a rule of a user, in what a session cannot be played without', () => {
  it.each<[value: object, path: (string | number)[]]>([
    [{ id: KEY, result: {} }, ['id']],
    [{ method: `x/${KEY}` }, ['method']],
    [{ method: 'x', jsonrpc: KEY }, ['jsonrpc']],
    [{ method: 'notifications/cancelled', params: { requestId: KEY } }, ['params', 'requestId']],
    [{ id: 1, method: 'x', params: { _meta: { progressToken: KEY } } }, ['params', '_meta', 'progressToken']],
    [{ id: Buffer.from(`of ${KEY} and others`).toString('base64'), result: {} }, ['id']],
  ])('leaves and reports %j', (message, path) => {
    const { redact, redactor } = redactorBy([PATTERN]);
    expect(redact(message)).toEqual(message);
    expect(redactor.unredactable()).toEqual([{ name: 'pattern', path }]);
    redact({ id: 2, result: {} });
    expect([redactor.unredactable(), redactor.hasUnredactable()]).toEqual([[], true]);
  });

  it('leaves a number, which a rule for the key matches', () => {
    const { redact, redactor } = redactorBy([{ key: 'id' }]);
    expect(redact({ id: 7, method: 'x', params: { id: 8 } })).toEqual({
      id: 7,
      method: 'x',
      params: { id: '[redacted:id:1]' },
    });
    expect(redactor.unredactable()).toEqual([{ name: 'id', path: ['id'] }]);
  });

  it('reports no version that MCP defines', () => {
    const { redact, redactor } = redactorBy([{ pattern: '\\d{4}-\\d\\d-\\d\\d' }, { pattern: '\\d\\.\\d' }]);
    const message = { jsonrpc: '2.0', id: 1, result: { protocolVersion: '2025-06-18' } };
    expect(redact(message)).toEqual(message);
    expect(redactor.hasUnredactable()).toBe(false);
  });
});
