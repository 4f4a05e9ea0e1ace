import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../src/redact/redactor.ts';
import { SharedSecrets } from '../../src/redact/shared-secrets.ts';
import { SHARED_BY } from '../../src/redact/trigram-table-for-redactors.ts';

const SECRET = 'f14f1c9027d3e8b65a';

function redactorWith(shared: SharedSecrets, options = {}) {
  const redactor = createRedactor({ env: {}, ...options });
  redactor.shareSecrets(shared);
  return redactor;
}

describe('secrets that redactors share', () => {
  it('are redacted by each of them, those that exist and later ones, whenever the secret is added', () => {
    const shared = new SharedSecrets();
    // More than have one table of trigrams.
    const early = Array.from({ length: SHARED_BY + 2 }, () => redactorWith(shared));
    shared.add('refresh_token', SECRET);
    for (const redactor of [...early, redactorWith(shared)])
      expect(redactor.text(`x ${SECRET} y`)).toBe('x [redacted:refresh_token:1] y');
  });

  it('get numbers in the order in which the data of a redactor have them', () => {
    const shared = new SharedSecrets();
    shared.add('code', 'c04f1c9027d3e8b65a');
    shared.add('code', SECRET);
    const redactor = redactorWith(shared);
    expect(redactor.learnt()).toEqual([]);
    expect(redactor.text(SECRET)).toBe('[redacted:code:1]');
  });

  it('have the placeholder that a redactor has given them, and that of a rule of the user', () => {
    const shared = new SharedSecrets();
    shared.add('code', SECRET);
    const redactor = redactorWith(shared);
    redactor.learnHeaders(['Authorization', `Bearer ${SECRET}`]);
    expect(redactor.text(`x ${SECRET} y`)).toBe('x [redacted:authorization:1] y');
    const rule = { name: 'OURS', pattern: /f1[\da-f]{16}/ };
    expect(redactorWith(shared, { rules: [rule] }).text(`x ${SECRET} y`)).toBe('x [redacted:OURS:1] y');
  });

  it('hide no longer value that ends with one of them', () => {
    const shared = new SharedSecrets();
    shared.add('code', `prefix/${SECRET}`);
    const redactor = redactorWith(shared);
    redactor.learnHeaders(['X-Api-Key', SECRET]);
    expect(redactor.text(`x prefix/${SECRET} y`)).not.toMatch(/prefix|f14f/);
  });

  it('are found in base64 and URL encodings, and where they are URL-encoded themselves', () => {
    const shared = new SharedSecrets();
    shared.add('client_secret', encodeURIComponent('p9+q8/r7=s6'));
    const redactor = redactorWith(shared);
    for (const text of [
      'p9+q8/r7=s6',
      encodeURIComponent('p9+q8/r7=s6'),
      Buffer.from('p9+q8/r7=s6').toString('base64'),
    ])
      expect(redactor.text(`x ${text} y`)).not.toContain(text);
  });

  it('are no ordinary words, and no allowed values', () => {
    const shared = new SharedSecrets();
    for (const value of ['access_token', 'true', '', '1234', SECRET]) shared.add('token', value);
    const redactor = redactorWith(shared, { allow: [SECRET] });
    const text = `an access_token that is true: 1234 ${SECRET}`;
    expect(redactor.text(text)).toBe(text);
  });

  it('come from headers, also from those that a rule names, and count as known', () => {
    const shared = new SharedSecrets([{ key: 'x-ours' }]);
    const redactor = redactorWith(shared);
    const known = redactor.knownCount();
    shared.learnHeaders(['Authorization', `Bearer ${SECRET}`, 'X-Ours', 'ours-7-b2', 'X-Other', 'other-7-b2']);
    expect(redactor.knownCount()).toBeGreaterThan(known);
    expect(redactor.text(`${SECRET} ours-7-b2 other-7-b2`)).toMatch(/^\[redacted:\S+ \[redacted:\S+ other-7-b2$/);
  });
});
