import { describe, expect, it } from 'vitest';
import { spellingsOf, urlDecodings } from '../../../src/redact/replace/secret-spellings.ts';

describe('urlDecodings', () => {
  it('has the decoded value first, and every spelling up to the given one', () => {
    expect(urlDecodings('a%252Fb')).toEqual(['a/b', 'a%2Fb', 'a%252Fb']);
    expect(urlDecodings('ab')).toEqual(['ab']);
    expect(urlDecodings('a%zz')).toEqual(['a%zz']);
  });
});

describe('spellingsOf', () => {
  it('has the value in JSON, in a form, in HTML and in base64, with a placeholder in the same encoding', () => {
    const spellings = new Map(spellingsOf('p "q" & r'));
    for (const plain of ['p "q" & r', 'p \\"q\\" & r', 'p+"q"+&+r', 'p &quot;q&quot; &amp; r'])
      expect(spellings.get(plain)?.('[redacted:password:1]')).toBe('[redacted:password:1]');
    const encoded = spellings.get(Buffer.from('p "q" & r').toString('base64'))!('[redacted:password:1]');
    expect(Buffer.from(encoded, 'base64').toString()).toContain('[redacted:password:1]');
  });
});
