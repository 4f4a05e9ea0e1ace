import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ansiColorEdits } from '../../src/redact/decode/ansi-colors.ts';
import { base64Edits } from '../../src/redact/decode/base64.ts';
import { mapEdits } from '../../src/redact/decode/decoded-text-offsets.ts';
import { findEncodedPlaceholders } from '../../src/redact/decode/find-encoded-placeholders.ts';
import { hexEdits } from '../../src/redact/decode/hex.ts';
import { withoutEntities } from '../../src/redact/decode/html-entities.ts';
import { jsonString } from '../../src/redact/decode/json-string-offsets.ts';
import { percentEncoded } from '../../src/redact/decode/percent-encoding.ts';
import { applyEdits, mergeEdits } from '../../src/redact/replace/text-edit.ts';

const text = fc.string({ unit: 'grapheme' });

describe('a placeholder in an encoding', () => {
  const plain = 'the password is [redacted:password:2], says ann';
  it.each([
    ['base64', Buffer.from(plain).toString('base64')],
    ['base64url in a path', `/files/${Buffer.from(plain).toString('base64url')}/x`],
    ['hexadecimal', Buffer.from(plain).toString('hex')],
    ['an odd number of digits', `0${Buffer.from(plain).toString('hex')}`],
    ['UTF-16', Buffer.from(plain, 'utf16le').toString('base64')],
    ['base64 in base64', Buffer.from(Buffer.from(plain).toString('base64')).toString('base64')],
  ])('is found: %s', (_, encoded) => {
    expect(findEncodedPlaceholders(`see ${encoded}, and on`)).toContainEqual(
      expect.objectContaining({ name: 'password', n: 2 }),
    );
  });

  it('is not where there is none', () => {
    expect(findEncodedPlaceholders(`${plain} ${Buffer.from('nothing to see in here').toString('base64')}`)).toEqual([]);
  });
});

describe('a text inside of another', () => {
  it('is edited where it lies, in a JSON string', () => {
    fc.assert(
      fc.property(text, text, text, fc.boolean(), (before, secret, after, isEscaped) => {
        const spell = (s: string) =>
          isEscaped
            ? `"${[...s]
                .flatMap((c) => c.split(''))
                .map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
                .join('')}"`
            : JSON.stringify(s);
        const token = `[1, ${spell(before + secret + after)}]`;
        const layer = jsonString(token, 4, token.length - 1);
        expect(layer.text).toBe(before + secret + after);
        const edit = { start: before.length, end: before.length + secret.length, text: 'X' };
        expect(JSON.parse(applyEdits(token, mapEdits(layer, [edit])))).toEqual([1, `${before}X${after}`]);
      }),
    );
  });

  it('is edited where it lies, in percent-encoding', () => {
    fc.assert(
      fc.property(
        text,
        text.filter((s) => s !== ''),
        text,
        (before, secret, after) => {
          const encoded = encodeURIComponent(before + secret + after);
          const line = `GET /?q=${encoded}&x=1`;
          for (const layer of percentEncoded(line).slice(0, 1)) {
            expect(layer.text).toBe(before + secret + after);
            const edit = { start: before.length, end: before.length + secret.length, text: 'X' };
            const safe = applyEdits(line, mapEdits(layer, [edit]));
            expect(decodeURIComponent(safe)).toBe(`GET /?q=${before}X${after}&x=1`);
          }
        },
      ),
    );
  });

  it('is edited where it lies, between colours, escaped or not', () => {
    const colour = fc.constantFrom('', '\u001b[0m', '\\u001b[1;31m', '\\e[38:5:208m', '\u001b[K');
    // A backslash before a colour that is escaped belongs to its escape.
    const unescaped = text.filter((said) => !said.endsWith('\\'));
    fc.assert(
      fc.property(unescaped, colour, colour, text, (before, first, second, after) => {
        const find = (shown: string) => {
          expect(shown).toBe(`${before}secret${after}`);
          return [{ start: before.length, end: before.length + 'secret'.length, text: 'X' }];
        };
        const around = (word: string) => `\u001b[2m${before}${first}${word}${second}${after}`;
        const line = around('secret');
        expect(applyEdits(line, ansiColorEdits(line, find))).toBe(around('X'));
      }),
    );
    expect(ansiColorEdits('none at all', expect.unreachable)).toEqual([]);
  });

  it('that is no percent-encoding stays as it is', () => {
    expect(percentEncoded('100% of 5%zz').map((layer) => layer.text)).toEqual([]);
    expect(percentEncoded('a%FFb %41%').map((layer) => layer.text)).toEqual(['a%FFb', 'A']);
    expect(percentEncoded('a+b%21').map((layer) => layer.text)).toEqual(['a+b!', 'a b!']);
  });

  const searches = {
    inText: (inner: string) =>
      [...inner.matchAll(/secret/g)].map(({ index }) => ({ start: index, end: index + 6, text: 'X' })),
    inBytes: (bytes: string) =>
      [...bytes.matchAll(/secret/g)].map(({ index }) => ({ start: index, end: index + 6, text: 'Y' })),
  };
  const without = (run: string) => applyEdits(run, base64Edits(run, searches));

  it('is encoded anew in base64, text or bytes, of either alphabet, padded or not', () => {
    const encoded = (s: string, encoding: BufferEncoding = 'utf8') => Buffer.from(s, encoding);
    const long = 'a rather long text with a secret in it ??>>';
    const safe = 'a rather long text with a X in it ??>>';
    expect(without(encoded(long).toString('base64'))).toBe(encoded(safe).toString('base64'));
    expect(without(`/${encoded(long).toString('base64url')}`)).toBe(`/${encoded(safe).toString('base64url')}`);
    expect(without(encoded('\xff\x00 secret \xfe and more and more', 'latin1').toString('base64'))).toBe(
      encoded('\xff\x00 Y \xfe and more and more', 'latin1').toString('base64'),
    );
    expect(without(encoded('nothing in here, nothing at all').toString('base64'))).toBe(
      encoded('nothing in here, nothing at all').toString('base64'),
    );
  });

  it('is encoded anew in hexadecimal, large or small, whatever stands before or after', () => {
    const encoded = (text: string) => Buffer.from(text).toString('hex');
    const without = (run: string) => applyEdits(run, hexEdits(run, searches));
    const [long, safe] = [encoded('a text with a secret in it'), encoded('a text with a X in it')];
    for (const [before, after] of [
      ['', ''],
      ['0x', '.'],
      ['a', ''],
      ['', 'f'],
      ['id-', 'g'],
    ]) {
      expect(without(before + long + after)).toBe(before + safe + after);
      expect(without(before + long.toUpperCase() + after)).toBe(before + safe.toUpperCase() + after);
    }
    expect(without(encoded('secret'.repeat(3)))).toBe(encoded('XXX'));
    expect(without(encoded('secret, less'))).toBe(encoded('X, less'));
    expect(without(encoded('secret less'))).toBe(encoded('secret less'));
    expect(without('f'.repeat(12_000_000))).toHaveLength(12_000_000);
  });

  it('is looked for in every run of base64, however long', () => {
    const word = Buffer.from('a secret in ordinary text').toString('base64');
    const said = Buffer.from('a X in ordinary text').toString('base64');
    const short = 'c2VjcmV0c2VjcmV0c2VjcmV';
    fc.assert(
      fc.property(fc.array(fc.constantFrom(word, short, '.', '=', ' ', '==='), { maxLength: 8 }), (parts) => {
        const text = parts.join('.');
        expect(without(text)).toBe(text.replaceAll(word, said));
      }),
    );
    const long = 'x'.repeat(12_000_000);
    expect(without(`"${long}" ${word}`)).toBe(`"${long}" ${said}`);
  });

  it.each([20, 16_383, 16_384, 16_407, 16_408, 32_791])(
    'is looked for behind %i letters of base64 and another',
    (n) => {
      const word = Buffer.from('a secret in ordinary text').toString('base64');
      const said = Buffer.from('a X in ordinary text').toString('base64');
      for (const between of ['.', 'é', 'Ł', '語', '€%']) {
        const before = 'x'.repeat(n) + between;
        const after = ` ${'x'.repeat(20_000)}`;
        expect(without(before + word + after)).toBe(before + said + after);
      }
    },
  );

  it('is not looked for in bytes where nothing is known that could be in them', () => {
    const inText = (inner: string) => searches.inText(inner);
    const safe = (bytes: Buffer) => {
      const run = bytes.toString('base64');
      return Buffer.from(applyEdits(run, base64Edits(run, { inText })), 'base64').toString('latin1');
    };
    const bytes = Buffer.from(`\xff\x00 secret ${'.'.repeat(2_000)}`, 'latin1');
    expect(safe(bytes)).toBe(bytes.toString('latin1'));
    for (const shift of ['', '.', '..', '...'])
      expect(safe(Buffer.from(`${shift}${'\u{1f600}'.repeat(500)} secret.`))).toContain(' X.');
  });
});

describe('a layer that is read as something else', () => {
  it('says where each character of it stands, and what is around one stays', () => {
    const unit = fc.constantFrom('a', 'b', '&', '&quot;', '&#39;', '&amp;', '&#x1F600;', '&nope;');
    const text = fc.array(unit, { maxLength: 12 }).map((units) => units.join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const layer = withoutEntities(`${before}secret${after}`);
        if (layer === undefined) return;
        const at = layer.text.indexOf('secret');
        expect([layer.outer(at), layer.outer(at + 6)]).toEqual([before.length, before.length + 6]);
        expect(layer.outer(layer.text.length)).toBe(before.length + 6 + after.length);
      }),
    );
    expect(withoutEntities('a &lt;b&gt; &AMP; &apos;c&#39; &#x1f600; &#0; &#xffffff; &x;')?.text).toBe(
      "a <b> & 'c' \u{1f600} &#0; &#xffffff; &x;",
    );
    expect(withoutEntities('a & b')).toBeUndefined();
  });
});

describe('edits', () => {
  it('that share characters become one', () => {
    const edit = (start: number, end: number, text: string) => ({ start, end, text });
    expect(mergeEdits([edit(4, 6, 'c'), edit(0, 3, 'a'), edit(0, 2, 'b'), edit(2, 5, 'd')])).toEqual([edit(0, 6, 'a')]);
    expect(applyEdits('0123456789', [edit(7, 8, 'b'), edit(0, 3, 'a'), edit(3, 4, '')])).toBe('a456b89');
    expect(applyEdits('same', [])).toBe('same');
  });
});
