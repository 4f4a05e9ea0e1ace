import { describe, expect, it, vi } from 'vitest';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { NAME_GRAMS } from '../../../src/redact/detect/credential-names.ts';
import { hasBenignNamesOnly, isClean } from '../../../src/redact/fast-prefilter/skip-harmless-names.ts';
import { emptyTrigramTable, MAY_HOLD, mark, scanText } from '../../../src/redact/fast-prefilter/trigram-scan.ts';
import { createRedactor } from '../../../src/redact/redactor.ts';

const marks = emptyTrigramTable();
for (const gram of NAME_GRAMS) mark(marks, gram, MAY_HOLD.name);

/** Read as text, and as bytes with others around. */
function both(message: unknown): boolean[] {
  const text = JSON.stringify(message);
  const bytes = Buffer.from(`"password"${text}"password"`);
  const start = '"password"'.length;
  return [hasBenignNamesOnly(text, scanText(text, marks)), isClean(bytes, marks, start, start + text.length)];
}

describe('what looks like the name of a credential in a message', () => {
  it.each([
    { progressToken: 1 },
    { params: { _meta: { progressToken: 'a' }, name: 'keyboard' } },
    { method: 'server/discover', maxTokens: 7 },
    { says: 'nothing' },
  ])('is harmless as a word of its own that is none: %j', (message) => {
    expect(both(message)).toEqual([true, true]);
  });

  it.each([
    { token: 'abc123x' },
    { progressToken: 1, password: 'abc123x' },
    { text: 'password=abc123x' },
    { args: ['--token', 'abc123x'] },
    { args: ['-password'] },
    { [`${'long'.repeat(20)}password`]: 'abc123x' },
    { name: 'api_key', value: 'abc123x' },
  ])('is looked at otherwise: %j', (message) => {
    expect(both(message)).toEqual([false, false]);
  });

  it('hides no token that stands in the same word', () => {
    const withTokens = emptyTrigramTable();
    for (const gram of NAME_GRAMS) mark(withTokens, gram, MAY_HOLD.name);
    mark(withTokens, 'xq_', MAY_HOLD.pattern);
    const look = (text: string) => isClean(Buffer.from(text), withTokens, 0, text.length);
    expect([look('"progressToken.xq"'), look('"progressToken.xq_"')]).toEqual([true, false]);
  });

  it('hides none that stands beside', () => {
    const { json } = createRedactor({ env: {} });
    const message = {
      params: { _meta: { progressToken: 'abc123x' }, arguments: { password: 's3same-0pen' } },
    };
    expect(json(new JsonText(JSON.stringify(message))).text).toBe(
      JSON.stringify(message).replace('s3same-0pen', '[redacted:password:1]'),
    );
  });

  it('is in no number: a flood that counts is passed at once', async () => {
    // Redactors of one process share their marks: this one shares with none that has learnt a secret.
    vi.resetModules();
    const alone = await import('../../../src/redact/redactor.ts');
    const { isClean } = alone.createRedactor({ env: {} });
    const counted = (n: number) => {
      const line = Buffer.from(`{"params":{"progressToken":1,"progress":${n}},"id":${n}}\n`);
      return isClean(line, 0, line.length - 1);
    };
    expect(Array.from({ length: 10_000 }, (_, n) => n).filter((n) => !counted(n))).toEqual([]);
  });
});
