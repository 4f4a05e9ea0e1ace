import { createCipheriv } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { JsonText } from '../../src/protocol/json-text.ts';
import { createRedactor } from '../../src/redact/redactor.ts';

/** What an image says: so many bytes in which nothing repeats. */
function noise(bytes: number): Buffer {
  return createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(Buffer.alloc(bytes));
}

const IMAGE = noise(60_000).toString('base64');
const LONG_NAME = `${'a_long_name_'.repeat(9)}password`;
const TOKEN = `ghp_${'a1B2'.repeat(9)}`;

/** A message as it is kept, and whether it needs no last look. */
function kept(
  message: unknown,
  env: Record<string, string> = {},
  create = createRedactor,
): { text: string; isSure: boolean } {
  const redactor = create({ env });
  const { text } = redactor.json(new JsonText(JSON.stringify(message)));
  return { text, isSure: redactor.isTokenless(text) };
}

const image = (data: string, beside: object = {}) => ({
  result: { content: [{ type: 'image', data, mimeType: 'image/png', ...beside }] },
});

/** The image with `inner` as of its letter number `at`. */
const holding = (inner: string, at = 40_000) => IMAGE.slice(0, at) + inner + IMAGE.slice(at);

describe('a message with an image', () => {
  it('stays as it is, and needs no last look', async () => {
    // Redactors of other tests in this process may have learnt what stands in the image.
    vi.resetModules();
    const { createRedactor } = await import('../../src/redact/redactor.ts');
    const beside = [image(IMAGE), image(IMAGE, { more: [IMAGE, `${IMAGE.slice(0, -2)}==`, 'nothing'] })];
    for (const message of beside) {
      const { text, isSure } = kept(message, {}, createRedactor);
      expect(text === JSON.stringify(message)).toBe(true);
      expect(isSure).toBe(true);
    }
  });

  // Each has a secret of its own: what one redactor has learnt makes others look twice.
  it.each([
    ['the name of a credential', { password: 's3same-0pen' }, 's3same-0pen'],
    ['the name of one that is a pair', { name: 'api_key', value: 'q1w2-e3r4' }, 'q1w2-e3r4'],
    ['a long name of one', { [LONG_NAME]: 'z9y8_x7w6' }, 'z9y8_x7w6'],
    ['a long name that is a pair', { name: LONG_NAME, value: 'k5j4.h3g2' }, 'k5j4.h3g2'],
    ['a text that names one', { text: 'password=b1n2~m3v4' }, 'b1n2~m3v4'],
    ['the name of one behind letters of base64', { text: `${IMAGE}, password=f6d7+s8a9` }, 'f6d7+s8a9'],
  ])('is searched where %s stands beside it', (_, beside, secret) => {
    for (const message of [image(IMAGE, beside), [beside, image(IMAGE)]]) {
      const { text } = kept(message);
      expect(text).not.toContain(secret);
      expect(text.replace(/\[redacted:[^\]]+:1\]/, secret)).toBe(JSON.stringify(message));
    }
  });

  it('is searched where a token stands in its letters', () => {
    const message = image(holding(`/${TOKEN}/`));
    expect(kept(message).text).toBe(JSON.stringify(message).replace(TOKEN, '[redacted:github-token:1]'));
  });

  it('is searched where a known secret stands in its letters, or in what they say', () => {
    const env = { DEPLOY_TOKEN: 'q9w8e7r6t5y4u3i2' };
    expect(kept(image(holding(`/${env.DEPLOY_TOKEN}/`)), env).text).not.toContain(env.DEPLOY_TOKEN);
    const bytes = Buffer.concat([noise(30_000), Buffer.from(` ${env.DEPLOY_TOKEN} `), noise(30_000)]);
    const said = JSON.parse(kept(image(bytes.toString('base64')), env).text).result.content[0].data;
    expect(Buffer.from(said, 'base64').includes(env.DEPLOY_TOKEN)).toBe(false);
  });

  it('is looked at once more where what it says looks like a token', () => {
    const bytes = Buffer.concat([noise(30_000), Buffer.from(` ${TOKEN} `), noise(30_000)]);
    const message = image(bytes.toString('base64'));
    expect(kept(message)).toEqual({ text: JSON.stringify(message), isSure: false });
  });

  it('is searched as text where it is no JSON', () => {
    const line = `{"data":"${IMAGE}/password": "hunter2-x"`;
    expect(createRedactor({ env: {} }).json(new JsonText(line)).text).not.toContain('hunter2-x');
  });
});
