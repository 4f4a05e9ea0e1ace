import { describe, expect, it } from 'vitest';
import { LongLineRedaction } from '../../../src/record/stdio/redact-long-line.ts';
import { createRedactor } from '../../../src/redact/redactor.ts';

const PIECE_BYTES = 64 * 1024;
const [SHORT, TOKEN] = [`sk_live_${'a1B2'.repeat(6)}`, `ghp_${'a1B2'.repeat(9)}`];

/** What is kept of a line that comes in pieces. */
function kept(line: string): string {
  const redaction = new LongLineRedaction(createRedactor({ env: {} }));
  const bytes = Buffer.from(line);
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE_BYTES)
    text += Buffer.from(redaction.add(bytes.subarray(at, at + PIECE_BYTES))).toString();
  return text + Buffer.from(redaction.end()).toString();
}

describe('a line that is too long to be held', () => {
  const said = `${'all of it is plain text, '.repeat(6_000)}${TOKEN}${' and there is more'.repeat(6_000)}`;

  it.each([0, 1, 2, 3])(
    'is decoded where its groups are, behind a secret that was taken out and %i letters',
    (count) => {
      const line = `{"a":"${SHORT}","b":"${'b'.repeat(count)}","c":"${Buffer.from(said).toString('base64')}"}`;
      const { a, c } = JSON.parse(kept(line));
      expect(a).toMatch(/^\[redacted:/);
      const text = Buffer.from(c, 'base64').toString();
      expect(text).not.toContain(TOKEN);
      expect(text.replace(/\[redacted:[^\]]+\]/, TOKEN)).toBe(said);
    },
  );

  it('stays as it is where it holds no secret', () => {
    for (const text of [said.replace(TOKEN, ''), 'x'.repeat(300_000), 'é'.repeat(100_000)]) {
      const line = `{"a":"${text}","c":"${Buffer.from(text).toString('base64')}"}`;
      expect(kept(line) === line).toBe(true);
    }
  });
});
