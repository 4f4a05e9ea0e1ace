import { expect, it } from 'vitest';
import { call, cassette, client, play, result, server } from '../../support/conversation.ts';

const rule = { rules: [{ pattern: /CUST-\d+/, name: 'customer' }] };
const recorded = cassette(
  client(call(1, 'balance', { customer: '[redacted:customer:1]' })),
  server(result(1, 'forty')),
  client(call(2, 'balance', { customer: '[redacted:customer:2]' })),
  server(result(2, 'seven')),
);

async function playing(played = recorded) {
  const [{ createRedactor }, { maskSecrets }] = await Promise.all([
    import('../../../src/redact/redactor.ts'),
    import('../../../src/redact/replace/mask-for-compare.ts'),
  ]);
  return play(played, { ignore: [maskSecrets(createRedactor({ env: {}, ...rule }))] });
}

it('says once that the first value of a name stands for the first placeholder, whichever it is', async () => {
  const mock = await playing();
  mock.says(call(1, 'balance', { customer: 'CUST-2002' }));
  expect(mock.hears()).toEqual([result(1, 'forty')]);
  expect(mock.findings).toEqual([
    {
      kind: 'guessed',
      text: expect.stringMatching(
        /fits \[redacted:customer:1\] or \[redacted:customer:2\] of .* give the values .*--secrets-from-env customer,customer_2$/,
      ),
    },
  ]);
  mock.says(call(2, 'balance', { customer: 'CUST-1001' }));
  expect(mock.findings).toHaveLength(1);
});

it('says nothing where a client repeats placeholders, or the cassette has one value of the name', async () => {
  const repeating = await playing();
  repeating.says(call(1, 'balance', { customer: '[redacted:customer:2]' }));
  expect(repeating.findings).toEqual([]);
  const single = await playing(
    cassette(client(call(1, 'balance', { customer: '[redacted:customer:1]' })), server(result(1, 'forty'))),
  );
  single.says(call(1, 'balance', { customer: 'CUST-2002' }));
  expect(single.hears()).toEqual([result(1, 'forty')]);
  expect(single.findings).toEqual([]);
});

it('says nothing where the values are given: another one is a miss', async () => {
  const given = cassette(
    client(call(1, 'balance', { customer: 'CUST-1001' })),
    server(result(1, 'forty')),
    client(call(2, 'balance', { customer: 'CUST-2002' })),
    server(result(2, 'seven')),
  );
  const mock = await playing(given);
  mock.says(call(1, 'balance', { customer: 'CUST-2002' }));
  expect(mock.hears()).toEqual([result(1, 'seven')]);
  expect(mock.findings).toEqual([]);
});
