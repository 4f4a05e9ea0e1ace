import { describe, expect, it } from 'vitest';
import type { LineFrame } from '../../../src/channel/frame.ts';
import { createRedactor } from '../../../src/redact/redactor.ts';

const line = (data: string, stream?: number): LineFrame => ({
  kind: 'line',
  at: 0,
  from: 'server',
  on: 'stderr',
  data,
  ...(stream !== undefined && { stream }),
});
const BODY = ['MIIEvQIBADANBgkqhkiG9w0BAQEFAASC', 'q9w8e7r6t5y4', 'u3i2o1p0=='];
const KEY = ['-----BEGIN RSA PRIVATE KEY-----', 'Proc-Type: 4,ENCRYPTED', '', ...BODY, '-----END RSA PRIVATE KEY-----'];

describe('a private key that comes line by line', () => {
  it('is taken out, and what comes after it stays', () => {
    const { frame } = createRedactor({ env: {} });
    const lines = [...KEY, 'started2026'].map((text) => frame(line(text)) as LineFrame);
    expect(lines.map(({ data }) => data)).toEqual([
      '-----BEGIN RSA PRIVATE KEY-----',
      '[redacted:private-key:1]',
      '',
      '[redacted:private-key:2]',
      '[redacted:private-key:3]',
      '[redacted:private-key:4]',
      '-----END RSA PRIVATE KEY-----',
      'started2026',
    ]);
    for (const safe of lines) expect(frame(safe)).toBe(safe);
  });

  it('is told apart from what another stream says meanwhile', () => {
    const { frame } = createRedactor({ env: {} });
    frame(line(KEY[0]!, 1));
    const other = line('q9w8e7r6t5y4', 2);
    expect(frame(other)).toBe(other);
    expect(frame(line('q9w8e7r6t5y4', 1))).toMatchObject({ data: '[redacted:private-key:1]' });
  });

  it('ends with a line that is none of it', () => {
    const { frame } = createRedactor({ env: {} });
    for (const text of [KEY[0]!, 'this is how keys begin', 'word2026word']) {
      const plain = line(text);
      expect(frame(plain)).toBe(plain);
    }
  });
});
