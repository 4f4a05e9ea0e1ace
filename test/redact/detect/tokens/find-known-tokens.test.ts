import { describe, expect, it } from 'vitest';
import { findKnownTokens, markTokens } from '../../../../src/redact/detect/tokens/find-known-tokens.ts';
import { TOKEN_PATTERNS } from '../../../../src/redact/detect/tokens/token-patterns.ts';
import { emptyTrigramTable } from '../../../../src/redact/fast-prefilter/trigram-scan.ts';

const marks = emptyTrigramTable();
markTokens(marks);

/** How much of each example is a secret already. */
const SHORTEST_LENGTHS = `
  aws-access-key 20   aws-bedrock-key 104   github-token 40   github-fine-grained-token 47
  gitlab-token 26   slack-token 24   slack-webhook 53   discord-webhook 102
  stripe-key 24   webhook-secret 30   google-api-key 39   1password-service-account-token 107   google-oauth-secret 27
  google-access-token 25   google-refresh-token 34   npm-token 40   pypi-token 55
  rubygems-key 57   nuget-key 46   docker-token 29   anthropic-key 27
  openai-key 28   openrouter-key 49   huggingface-token 33   groq-key 44
  perplexity-key 45   replicate-token 39   langsmith-key 51   azure-storage-key 51
  azure-shared-access-key 56   azure-sas 59   azure-client-secret 37   twilio-key 34
  sendgrid-key 42   mailgun-key 36   mailchimp-key 36   telegram-token 44
  shopify-token 38   square-token 29   digitalocean-token 71   netlify-token 40
  fly-token 44   supabase-key 30   planetscale-token 43   databricks-token 36
  terraform-token 83   vault-token 28   doppler-token 46   age-secret-key 74
  sentry-token 71   grafana-token 46   new-relic-key 24   dynatrace-token 96
  sonar-token 44   postman-key 64   atlassian-token 66   linear-key 40
  notion-token 44   figma-token 41   contentful-token 49   tailscale-key 34
  putty-private-key 33   jwt 48   private-key 44
  slack-legacy-token 26   office-webhook 201   make-webhook 58   ifttt-webhook 71
  zapier-webhook 52   tines-webhook 96   softlayer-key 98   airtable-oauth-token 126
`;
const SHORTEST = new Map(
  [...SHORTEST_LENGTHS.matchAll(/(\S+) (\d+)/g)].map(([, name, length]) => [name!, Number(length)]),
);

describe.each(TOKEN_PATTERNS)('a $name', ({ name, pattern, example }) => {
  const token = example().join('');

  it('is found by its example, in the midst of text', () => {
    const [all, group] = pattern.exec(token)!;
    for (const [before, after] of [
      ['', ''],
      ['see ', ' there'],
      ['"', '"'],
      ['a=', '\n'],
      ['\\n', ''],
      ['%20', '&'],
      ['(', ').'],
    ]) {
      const text = before + token + after;
      expect(
        findKnownTokens(text, marks).map(({ start, end, ...rest }) => ({
          ...rest,
          secret: text.slice(start, end),
        })),
      ).toEqual([{ name, secret: group ?? all }]);
    }
  });

  it('is none when it is cut short', () => {
    const isFound = (length: number) =>
      findKnownTokens(token.slice(0, length), marks).some((found) => found.name === name);
    const length = SHORTEST.get(name) ?? Number.NaN;
    expect(length).toBeGreaterThan(0);
    expect([length - 1, length].map(isFound)).toEqual([false, true]);
  });
});

const word = (length: number) => 'aZ3kQ9xB7m'.repeat(10).slice(0, length);
const hex = (length: number) => '0a1b2c3d4e'.repeat(10).slice(0, length);
const LINES = `${word(64)}\n${word(40)}==`;

/** What kinds may look like beside their examples: the first piece, and the rest. */
const OTHER_LOOKS = [
  ['openai-key', 'sk-', word(32)],
  ['azure-sas', 'sig=', `${word(20)}%2b${word(18)}%2F%3d`],
  ['supabase-key', 'sbp_', hex(40)],
  ['databricks-token', 'dapi', `${hex(32)}-2`],
  ['doppler-token', 'dp.st.', word(40)],
  ['doppler-token', 'dp.st.', `dev_1.${word(40)}`],
  ['grafana-token', 'glc_', `${word(32)}==`],
  ['atlassian-token', 'ATBB', word(32)],
  ['notion-token', 'secret_', word(43)],
  ['jwt', 'eyJ', `${word(10)}..${word(3)}-.${word(4)}.${word(5)}_`],
  ['jwt', 'eyJ', `${word(10)}.${word(9)}-.${word(3)}.${word(4)}.${word(5)}`],
  ['jwt', 'eyJ', `${word(10)}.eyJ${word(8)}.${word(5)}-_`],
  ['private-key', '-----BEGIN RSA PRIVATE', ` KEY-----\n${LINES}\n-----END RSA PRIVATE KEY-----`],
  ['private-key', '-----BEGIN PGP PRIVATE', ` KEY BLOCK-----\n\n${LINES}\n-----END PGP PRIVATE KEY BLOCK-----`],
  ['private-key', '-----BEGIN PRIVATE', ` KEY-----\\n${word(64)}\\n${word(40)}\\r\\n${word(20)}`],
] as const;

it.each(OTHER_LOOKS)('a %s may also begin with %j, and is found whole', (name, start, rest) => {
  const text = `see ${start}${rest}`;
  const secret = name === 'azure-sas' ? text.indexOf('=') + 1 : 4;
  expect(findKnownTokens(`${text} there`, marks)).toEqual([{ name, start: secret, end: text.length }]);
});

describe('tokens', () => {
  it('are at least sixty kinds, each with a name of its own', () => {
    const names = TOKEN_PATTERNS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(60);
  });

  it('are found one behind the other', () => {
    const text = TOKEN_PATTERNS.map(({ example }) => example().join('')).join('\n');
    expect(findKnownTokens(text, marks).map(({ name }) => name)).toEqual(TOKEN_PATTERNS.map(({ name }) => name));
  });

  it('do not begin in the midst of another', () => {
    const text = [['glpat-', 'a1B2'.repeat(9)].join(''), ['ghp_', 'a1B2'.repeat(9)].join('')].join('-');
    expect(findKnownTokens(text, marks)).toEqual([{ name: 'gitlab-token', start: 0, end: text.length }]);
  });

  it('of bots of Discord are known by where their dots stand', () => {
    const token = ['MTAyOTQ4MTN5OTU5MTDwMEcx', 'GSwJyi', 'sbaw8msOR3Wi6vPUzeIWy_P0vJbB0UuRVjH8l8'].join('.');
    const found = (text: string) => findKnownTokens(text, marks).map(({ start, end }) => text.slice(start, end));
    expect(['', 'see ', '"'].map((before) => found(`${before}${token} there`))).toEqual([[token], [token], [token]]);
    expect(
      found(`${token.replaceAll('.', '/')} x${token} ${token.replace('M', 'P')} ${token}${'x'.repeat(20)}`),
    ).toEqual([]);
  });

  it('that only show where one belongs are none', () => {
    const shown = [
      `ghp_${'x'.repeat(36)}`,
      ['AKIA', 'IOSFODNN7EXAMPLE'].join(''),
      'xoxb-my-bot-token',
      'xoxo-indieweb-1',
    ];
    expect(shown.flatMap((text) => findKnownTokens(text, marks))).toEqual([]);
  });

  it('of Azure end with a sentence, and do not go on in a longer word', () => {
    const secret = ['aB3', `8Q~${word(34)}`].join('');
    expect(findKnownTokens(`It is ${secret}.`, marks)).toHaveLength(1);
    expect(findKnownTokens(`${secret}yk0`, marks)).toEqual([]);
  });

  it('do not begin in the midst of a word', () => {
    expect(findKnownTokens(`xx${['ghp_', 'a1B2'.repeat(9)].join('')}`, marks)).toEqual([]);
  });

  it('are none with too few digits before them', () => {
    const bot = (digits: number) => [`${'1'.repeat(digits)}:`, `AA${word(33)}`].join('');
    expect([7, 8].map((digits) => findKnownTokens(bot(digits), marks).length)).toEqual([0, 1]);
  });

  it('take all lines of a key that was made by PuTTY, however their breaks are written', () => {
    const key = (lines: number, br: string) => `Private-Lines: ${lines}${`${br}${word(64)}`.repeat(lines)}`;
    for (const text of [key(12, '\n'), key(2, '\r\n'), key(2, '\\r\\n')])
      expect(findKnownTokens(`${text}\nPrivate-MAC: ab`, marks).map(({ end }) => end)).toEqual([text.length]);
  });

  it('of a private key do not go on into the next', () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${LINES}`;
    const text = `${key}\n-----BEGIN PRIVATE KEY-----\n${LINES}\n-----END PRIVATE KEY-----`;
    expect(findKnownTokens(text, marks).map(({ start, end }) => [start, end])).toEqual([
      [0, key.length],
      [key.length + 1, text.length],
    ]);
  });

  it('end with what is left of a private key that is torn', () => {
    const text = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkq\n'.repeat(3)} and then`;
    expect(findKnownTokens(text, marks)).toEqual([{ name: 'private-key', start: 0, end: 27 + 3 * 17 }]);
  });
});
