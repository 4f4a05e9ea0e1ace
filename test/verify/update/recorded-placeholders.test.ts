import { describe, expect, it } from 'vitest';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { createRedactor } from '../../../src/redact/redactor.ts';
import { restoreCassetteSecrets } from '../../../src/replay/prepare/restore-cassette-secrets.ts';
import { recordedNames } from '../../../src/verify/update/recorded-placeholders.ts';
import { call, cassette, client, result, server } from '../../support/conversation.ts';

const cut = cassette(
  client(call(1, 'balance', { customer: '[redacted:customer:2]' })),
  server(result(1, '[redacted:customer:2] of [redacted:manager:5]')),
);
const rules = ['customer', 'manager'].map((name) => ({ pattern: new RegExp(`${name.toUpperCase()}-\\d+`), name }));
const SECRETS = { customer_2: 'CUSTOMER-2002', manager_5: 'MANAGER-7' };

function names(secrets: Record<string, string>) {
  const redactor = createRedactor({ env: {}, rules });
  const played = restoreCassetteSecrets(cut, undefined, secrets, () => '');
  const { redact } = recordedNames(cut, { played, redactor });
  return (text: string): unknown => redact(new JsonText(JSON.stringify({ text }))).value;
}

describe('what is shown of a session', () => {
  it('has the placeholders of the cassette for given secrets of both sides', () => {
    const shown = names(SECRETS);
    expect(shown('MANAGER-7 and CUSTOMER-2002')).toEqual({ text: '[redacted:manager:5] and [redacted:customer:2]' });
  });

  it('has them in an encoding, too', () => {
    const encoded = (text: string) => Buffer.from(text).toString('base64');
    const shown = names(SECRETS)(`CUSTOMER-2002 ${encoded('CUSTOMER-2002, as you said')}`);
    expect(shown).toEqual({ text: `[redacted:customer:2] ${encoded('[redacted:customer:2], as you said')}` });
  });

  it('has no placeholder of the cassette for another value', () => {
    expect(names(SECRETS)('CUSTOMER-9 MANAGER-8')).toEqual({ text: '[redacted:customer:3] [redacted:manager:6]' });
    expect(names({})('CUSTOMER-2002 CUSTOMER-9')).toEqual({ text: '[redacted:customer:3] [redacted:customer:4]' });
  });
});
