import { describe, expect, it } from 'vitest';
import { knownTokens, markTokens } from '../../src/redact/known-tokens.ts';
import { emptyMarks } from '../../src/redact/survey.ts';
import { TOKEN_PATTERNS } from '../../src/redact/token-patterns.ts';

const marks = emptyMarks();
markTokens(marks);

/** How much of each example is a secret already. */
const SHORTEST_LENGTHS = `
  aws-access-key 20   aws-bedrock-key 104   github-token 40   github-fine-grained-token 47
  gitlab-token 26   slack-token 15   slack-webhook 53   discord-webhook 102
  stripe-key 24   webhook-secret 30   google-api-key 39   google-oauth-secret 27
  google-access-token 25   google-refresh-token 34   npm-token 40   pypi-token 55
  rubygems-key 57   nuget-key 46   docker-token 29   anthropic-key 27
  openai-key 28   openrouter-key 49   huggingface-token 33   groq-key 44
  perplexity-key 45   replicate-token 39   langsmith-key 51   azure-storage-key 51
  azure-shared-access-key 56   azure-sas 59   azure-client-secret 37   twilio-key 34
  sendgrid-key 42   mailgun-key 36   mailchimp-key 36   telegram-token 44
  shopify-token 38   square-token 29   digitalocean-token 71   netlify-token 40
  fly-token 44   supabase-key 30   planetscale-token 43   databricks-token 36
  terraform-token 83   vault-token 28   doppler-token 46   age-secret-key 74
  sentry-token 47   grafana-token 46   new-relic-key 24   dynatrace-token 96
  sonar-token 44   postman-key 64   atlassian-token 66   linear-key 40
  notion-token 44   figma-token 41   contentful-token 49   tailscale-key 34
  putty-private-key 33   jwt 101   private-key 44
`;
const SHORTEST = new Map(
  [...SHORTEST_LENGTHS.matchAll(/(\S+) (\d+)/g)].map(([, name, length]) => [name!, Number(length)]),
);

describe.each(TOKEN_PATTERNS)('a $name', ({ name, pattern, example }) => {
  const token = example.join('');

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
        knownTokens(text, marks).map(({ start, end, ...rest }) => ({
          ...rest,
          secret: text.slice(start, end),
        })),
      ).toEqual([{ name, secret: group ?? all }]);
    }
  });

  it('is none when it is cut short', () => {
    const isFound = (length: number) =>
      knownTokens(token.slice(0, length), marks).some((found) => found.name === name);
    const length = SHORTEST.get(name)!;
    expect([length - 1, length].map(isFound)).toEqual([false, true]);
  });
});

describe('tokens', () => {
  it('are at least sixty kinds, each with a name of its own', () => {
    const names = TOKEN_PATTERNS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(60);
  });

  it('are found one behind the other', () => {
    const text = TOKEN_PATTERNS.map(({ example }) => example.join('')).join('\n');
    expect(knownTokens(text, marks).map(({ name }) => name)).toEqual(TOKEN_PATTERNS.map(({ name }) => name));
  });

  it('do not begin in the midst of another', () => {
    const text = [['glpat-', 'a1B2'.repeat(9)].join(''), ['ghp_', 'a1B2'.repeat(9)].join('')].join('-');
    expect(knownTokens(text, marks)).toEqual([{ name: 'gitlab-token', start: 0, end: text.length }]);
  });

  it('do not begin in the midst of a word', () => {
    expect(knownTokens(`xx${['ghp_', 'a1B2'.repeat(9)].join('')}`, marks)).toEqual([]);
  });

  it('end with what is left of a private key that is torn', () => {
    const text = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkq\n'.repeat(3)} and then`;
    expect(knownTokens(text, marks)).toEqual([{ name: 'private-key', start: 0, end: 27 + 3 * 17 }]);
  });
});
