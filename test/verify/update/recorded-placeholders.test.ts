import { describe, expect, it } from 'vitest';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { createRedactor } from '../../../src/redact/redactor.ts';
import { rulesForSecrets } from '../../../src/redact/rules/rules-for-secrets.ts';
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

  // An encoded secret is redacted by its key, and without its encoding: the order of the placeholders is another one.
  it('has the strings of the cassette as the cassette has them, whatever redaction makes of the secrets', () => {
    const encoded = Buffer.from('[redacted:token:1]').toString('base64');
    const said = '[redacted:token:1] for [redacted:customer:1]';
    const answer = JSON.stringify({ token: '[redacted:token:1]', session: encoded, next: '[redacted:customer:1]' });
    const recorded = cassette(
      client(call(1, 'orders', { customer: '[redacted:customer:1]' })),
      server(result(1, said)),
      client(call(2, 'whoami', { token: '[redacted:token:1]' })),
      server(result(2, answer)),
    );
    for (const token of ['acme_live_expired', 'acme_live_9fK2mQ7xZ1', 'CUST-9']) {
      const secrets = { token, customer: 'CUST-2024-118833' };
      const redactor = createRedactor({ env: {}, rules: rulesForSecrets(secrets) });
      const played = restoreCassetteSecrets(recorded, undefined, secrets, () => '');
      const { redact } = recordedNames(recorded, { played, redactor });
      const shown = (event: number) => {
        const { frame } = played.events[event]!;
        return frame.kind === 'message' ? redact(frame.json).value : undefined;
      };
      expect([shown(1), shown(3)]).toEqual([result(1, said), result(2, answer)]);
      expect(redact(new JsonText(JSON.stringify([`no ${secrets.customer}`, `no ${token}`]))).value).toEqual([
        'no [redacted:customer:1]',
        'no [redacted:token:1]',
      ]);
    }
  });
});
