import { describe, expect, it } from 'vitest';
import { credentialNamed, isCredentialVariable, NAME_GRAMS } from '../../../src/redact/detect/credential-names.ts';
import { emptyTrigramTable, mark, scanTrigrams } from '../../../src/redact/fast-prefilter/trigram-scan.ts';

const SURE = [
  ...['password', 'Password', 'PASSWD', 'db_pwd', 'userPassword', 'PGPASSWORD', 'password2', 'passwordConfirmation'],
  ...[
    'passphrase',
    'client_secret',
    'clientSecret',
    'CLIENT-SECRET',
    'webhook_secret',
    'secretKey',
    'aws_secret_access_key',
  ],
  ...[
    'api_key',
    'apikey',
    'apiKey',
    'X-Api-Key',
    'api-key',
    'openai.api_key',
    'private_key',
    'encryptionKey',
    'accountKey',
  ],
  ...[
    'access_token',
    'refreshToken',
    'id_token',
    'authToken',
    'GITHUB_TOKEN',
    'csrf_token',
    'resetToken',
    'sessionToken',
  ],
  ...['redis_token', 'genesisToken', 'Authorization', 'proxy-authorization', 'cookie', 'Set-Cookie', 'code_verifier'],
  ...[
    'client_assertion',
    'mcp-session-id',
    'DPoP',
    'seedPhrase',
    'recovery_code',
    'Seed Phrase',
    'API Key',
    '--auth-token',
  ],
];
const PERHAPS = ['token', 'tokens', 'secret', 'auth', 'credentials', 'pass', 'creds', 'jwt', 'cvv', 'pwd'];
/** Names that other things have, too: bytes that begin a file, a table of a processor, a method. */
const IF_RANDOM = ['sig', 'signature', 'x86_cpu_PAT', 'gh_pat'];
const NEITHER = [
  ...['pwd\nlamp', 'the password\r\nis here'],
  ...[
    'progressToken',
    'progresstoken',
    'nextPageToken',
    'page_token',
    'continuationToken',
    'cancellationToken',
    'syncToken',
  ],
  ...[
    'maxTokens',
    'max_tokens',
    'inputTokens',
    'output_tokens',
    'cached_tokens',
    'tokenizer',
    'tokenCount',
    'token_type',
  ],
  ...[
    'stop_token',
    'eosToken',
    'token_endpoint',
    'cursor',
    'nextCursor',
    'requestState',
    'id',
    'key',
    'keys',
    'primaryKey',
  ],
  ...[
    'public_key',
    'sort_key',
    'author',
    'authority',
    'authorized',
    'authentication',
    'passed',
    'passenger',
    'compass',
  ],
  ...['OLDPWD', 'keyboard', 'monkey', 'secretary', 'secretName', 'passwordPolicy', 'hasPassword', 'isSecret'],
  ...['getToken', 'listPasswords', 'deleteBranchPassword', '@acme/rule-1password', 'VIEW_MODE_STORAGE_KEY'],
  ...['noToken', 'x', '', '密码', 'session', 'signal', 'design', '[redacted:password:1]', 'a'.repeat(300)],
];

describe('a name', () => {
  it.each(SURE)('%s is that of a secret', (name) => {
    expect(credentialNamed(name)).toBe('sure');
  });
  it.each(PERHAPS)('%s may be that of a secret', (name) => {
    expect(credentialNamed(name)).toBe('perhaps');
  });
  it.each(IF_RANDOM)('%s may be that of a secret, if the value is random', (name) => {
    expect(credentialNamed(name)).toBe('if random');
  });
  it.each(NEITHER)('%j is not', (name) => {
    expect(credentialNamed(name)).toBeUndefined();
  });

  it('that counts is seen by the first look', () => {
    const marks = emptyTrigramTable();
    for (const gram of NAME_GRAMS) mark(marks, gram, 1);
    const unseen = [...SURE, ...PERHAPS, ...IF_RANDOM].filter(
      (name) => scanTrigrams(name, marks, 0, name.length) === 0,
    );
    expect(unseen).toEqual([]);
  });

  it('is judged more strictly for a variable', () => {
    expect(['STRIPE_KEY', 'GH_PAT', 'DB_PASS', 'REGISTRY_AUTH'].filter(isCredentialVariable)).toHaveLength(4);
    expect(['PUBLIC_KEY', 'PATH', 'KEYBOARD', 'SSH_AUTH_SOCK', 'PWD'].filter(isCredentialVariable)).toEqual([]);
  });
});
