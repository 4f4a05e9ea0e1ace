import { describe, expect, it } from 'vitest';
import { redactCassette } from '../../../src/record/redact-file/redact-cassette.ts';
import { wideTextEdits } from '../../../src/redact/decode/utf16-in-bytes.ts';
import { createRedactor } from '../../../src/redact/redactor.ts';
import { applyEdits } from '../../../src/redact/replace/text-edit.ts';

const TOKEN = `ghp_${'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5'}`;
const little = (text: string) => Buffer.from(text, 'utf16le');
const big = (text: string) => little(text).swap16();
const latin1 = (bytes: Buffer) => bytes.toString('latin1');

describe('UTF-16 in bytes', () => {
  it.each([little, big])('is searched, and its replacement is UTF-16, too', (encode) => {
    const bytes = latin1(encode('é one two'));
    const edits = wideTextEdits(bytes, (text) => {
      expect(text).toBe('é one two');
      return [{ start: 2, end: 5, text: 'three' }];
    });
    expect(applyEdits(bytes, edits)).toBe(latin1(encode('é three two')));
  });

  it('is found between other bytes', () => {
    const seen: string[] = [];
    const bytes = `ab\0\0${latin1(little('first text'))}\u0016\u0004${latin1(little('another'))}x\0y`;
    wideTextEdits(bytes, (text) => {
      seen.push(text);
      return [];
    });
    // A character after the last zero belongs to the text in one of the byte orders.
    expect(seen).toEqual(['first text\u0016', 'anotherxy']);
  });

  it('is no stretch of zeros, and no single zero', () => {
    const fail = () => {
      throw new Error('nothing is to be searched');
    };
    for (const bytes of ['', '\0', '\0'.repeat(99), 'a\0', 'a\0b\0c', 'no zeros'])
      expect(wideTextEdits(bytes, fail)).toEqual([]);
  });

  it('is searched in linear time', () => {
    expect(wideTextEdits('a\0'.repeat(4_000_000), () => [])).toEqual([]);
    expect(wideTextEdits('a\0\0'.repeat(2_000_000), () => [])).toEqual([]);
  });
});

const FORMS: Record<string, Buffer> = {
  'little-endian': little(`tok ${TOKEN}`),
  'big-endian': big(`tok ${TOKEN}`),
  'with a mark': Buffer.concat([Buffer.of(0xff, 0xfe), little(`tok ${TOKEN}\r\n`)]),
  'big-endian with a mark': Buffer.concat([Buffer.of(0xfe, 0xff), big(`tok ${TOKEN}`)]),
  'after the byte of a line break': little(`tok ${TOKEN}\n`).subarray(1),
  'with letters of other scripts': little(`→ ключ ${TOKEN} 🔑`),
  'after ASCII': Buffer.concat([Buffer.from('stderr: '), little(TOKEN)]),
  'with a name': little('{"password":"hunter2-x"}'),
};

describe.each(['stderrBytes', 'serverBytes', 'clientBytes'])('%s in UTF-16', (key) => {
  it.each(Object.entries(FORMS))('%s has no secret afterwards', (_, bytes) => {
    const cassette = `format: mcp-record/1\nevents:\n- client: { id: 1, method: a }\n- ${key}: ${bytes.toString('base64')}\n`;
    const redact = (text: string) => redactCassette(text, 'a.yaml', createRedactor({ env: {} }));
    const { text, secrets } = redact(cassette);
    expect(secrets).toHaveLength(1);
    const [, base64 = ''] = /Bytes: (.*)/.exec(text)!;
    const plain = latin1(Buffer.from(base64, 'base64')).replaceAll('\0', '');
    expect(plain).toContain('[redacted:');
    expect(plain).not.toMatch(/hunter|ghp_/);
    expect(redact(text)).toEqual(expect.objectContaining({ text, secrets: [] }));
  });
});

it.each([little, big])('UTF-16 in base64 and hexadecimal has no secret afterwards', (encode) => {
  for (const encoding of ['base64', 'hex'] as const) {
    const { text } = createRedactor({ env: {} });
    const safe = text(encode(`token is ${TOKEN} there`).toString(encoding));
    expect(Buffer.from(safe, encoding)).toEqual(encode('token is [redacted:github-token:1] there'));
    expect(text(safe)).toBe(safe);
  }
});
