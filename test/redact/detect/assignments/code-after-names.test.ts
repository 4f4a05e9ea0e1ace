// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code of others is in texts
import { describe, expect, it } from 'vitest';
import {
  isBetweenTexts,
  isExpression,
  isVariable,
} from '../../../../src/redact/detect/assignments/code-after-names.ts';
import { createRedactor } from '../../../../src/redact/redactor.ts';

const { text: redacted } = createRedactor({ env: {} });

/** Code and documentation that names credentials and holds none, as the tools of servers read it from repositories. */
const CODE = {
  minified: [
    'function q(t){let{id:n,client_secret:r}=t;return n}',
    'class X{parse({tokens:e}){return this.run(e)}text({text:e}){return e}}',
    'o.push({type:"p",raw:s,tokens:k}),function(){return 1}',
    'setKey({apiKey:e}){if(!e)throw new TypeError("missing")}',
    'return u.username=u.password=u.hash="",u',
    'm["x-acme-api-key"]=e:m.params["x-acme-api-key"]=e',
    'n={userToken:null!=(t=null==i?void 0:i.userToken)?t:o}',
    'a({list:q,apiKey:g}})}))})}))}))}var z=1',
  ],
  'texts that are put together': [
    'url = "https://api.acme.example/v1?api_key=" + key + "&page=" + page',
    "const secret = await ask('New password: ')\nconst again = await ask('Again, please: ')",
    'req, err := http.NewRequest("GET", "https://acme.example/a?access_token="+tok, nil)\nreq.Header.Add("Accept", "x")',
    'body := `{"user":"` + name + `","password":"` + pass + `"}`',
    'sign("x-acme-date:" + date + "x-acme-security-token:" + session + "host:" + host)',
    "if ask('Password: ') == 'yes' or again:",
  ],
  names: [
    'export const handler = { ontoken: onLastTokenSeen, onend: noMoreTokensAreThere };',
    '[Parser.START_TOKEN]: startTokenInBodyOfTable,\n[Parser.END_TOKEN]: endTokenInBodyOfTable,',
    '{ "private_key": base64PrivateKey, "id": id }',
    'store->getKey = acmeStoreMngrGetKey;',
    'this.noAuthorization = !request.headers.authorization;',
    'const auth = !error.headers || !error.headers["www-authenticate"]',
    'headers["authorization"] = authorization_header\nreturn authorization_header',
    'my $sig = POSIX::WTERMSIG($status);',
    'keys[token] = struct{}{}\nother[token] = struct{}{}',
    'Auth: []ssh.AuthMethod{ssh.Password(p)},',
    'Credentials: AcmeCredentials{Name: n},',
    'acme_cpu_PAT = acme_cpu_index_1_edx + 16,',
    'select * from t where access_token_value = :accessTokenValue',
    'lastSignificantToken = "?BracketAfterWord";',
    'tokens: tokens2',
  ],
  formats: [
    "core_token = r'(?:[^a-z]+|%s)' % other",
    'secret = "[-_.~a-z0-9]{40}"',
    'headers["Authorization"] = "AcmeKey " + key',
    'headers["Authorization"] = "ACME apikey=" + key',
    'header("Authorization", "WRAP access_token=%s&user=%s")',
    '\tAPIKeys []apiKey `json:"keys,omitempty"`',
    'Cipher.newSecretKey("PBKDF2WithHmacSHA512")',
    'if (sig == 0x4034B50) return;',
    'sign(data: string, privateKey: Uint8Array): Promise<Uint8Array>',
    'export interface Pair { secretKey: Uint8Array<ArrayBuffer>; publicKey: string }',
    'readonly tokens: Uint32Array | undefined;',
    'public fun open(token: UInt64, password: String)',
    'private_key: Ed25519PrivateKey',
    'accessToken: OAuth2AccessToken;',
    'mapping(address => bytes32) secret; bytes32 secretKey: bytes32',
    'API_KEY = "__API_KEY__"',
    'zip.sig = b"PK\\x06\\x07"',
    'endpoints: { getToken: "/v2/tokens/{id}", x: "/v2/x/%s" }',
    'import acmeapikey "github.com/acme/detectors/acmeapikey"',
    'scopes: { AcmeSigningKey: "admin:acme_signing_key" }',
    'const VIEW_STORAGE_KEY = "__acme-view-mode-2__"',
    '"devDependencies": { "@acme/rule-1password": "workspace:*", "@acme/types": "workspace:*" }',
  ],
  documentation: [
    '![Password prompt](https://cdn.acme.example/a1b2c3d4e5f6a7b8/shot.png)',
    'Enter the password:\n```\n\nThen run the `version` script and wait for it.\n\n```sh\nacme login\n```',
    'For registries with a user and password:\n\n**YAML**\n',
    "{ idToken: 'eyJhbGciOiJF...' }",
    'every request has `Authorization: DPoP <token>`',
    "`cookie: 'theme=dark; list=attributes'` sets attributes, and attributes may follow",
    'To skip it, pass `allow_level=True` or pass `--key-ring="${HOME}/a"`.',
    'url is "https://REDACTED:REDACTED@acme.example/"',
    'Set variables (for github-token_2: GITHUB_TOKEN_2, for db-password: DB_PASSWORD_3).',
    'psql postgres://postgres:postgres@localhost:5432/app',
    'https://ann:REPLACE_WITH_YOURS@acme.example/',
    '"Bearer error=\\"x\\", resource_metadata=\\"https://acme.example/.well-known/oauth-protected-resource\\""',
  ],
};

describe.each(Object.entries(CODE))('code that names credentials: %s', (_, texts) => {
  it.each(texts)('%s', (text) => {
    expect(redacted(text)).toBe(text);
  });
});

/** Credentials that have something of the code above. */
const SECRETS: readonly (readonly [string, string])[] = [
  ['password: hunter)x9', 'hunter)x9'],
  ['password: "+kX9#mQ2v"', '+kX9#mQ2v'],
  ["Don't use the password: 'hunter2x' again", 'hunter2x'],
  ['{"password": "a9} || x"}', 'a9} || x'],
  ['"secret_key" => sk9abcdefghi3x', 'sk9abcdefghi3x'],
  ['token = NKVmEKtpJvQXUaaOfApuFxCOmaRLcRsc', 'NKVmEKtpJvQXUaaOfApuFxCOmaRLcRsc'],
  ["acme token - 'kWqLpNrZtXvBmYdHs7GcJfEa'", 'kWqLpNrZtXvBmYdHs7GcJfEa'],
  ['Your password:\n```\nhunter2-xy\n```\n', 'hunter2-xy'],
  ['creds = ejEttEVQ7WQiC0OdFhvXM7i3', 'ejEttEVQ7WQiC0OdFhvXM7i3'],
  ['Authorization: Bearer dG9rZW46a2V5PQ==', 'dG9rZW46a2V5PQ=='],
  ['signature: MEYCIQCW2BcUkRCAXDmGxwMi78jknenZ7', 'MEYCIQCW2BcUkRCAXDmGxwMi78jknenZ7'],
  ['Cookie: sid=a8f7e6d5c4b3; theme=dark', 'a8f7e6d5c4b3'],
  ['postgres://ann:postgres7x@db.example/app', 'postgres7x'],
  ['https://a9b8c7d6e5:a9b8c7d6e5@h.example', 'a9b8c7d6e5'],
  ['curl --user ann:"s3same-0pen" https://h.example', 's3same-0pen'],
  ['curl -X POST https://h.example \\\n  -H "a: b" \\\n  -u ann:correctHorseStaple', 'correctHorseStaple'],
  ['curl -u ":s3same-0pen" https://h.example', 's3same-0pen'],
  ['curl -u "Zf3D0LXCM3EIMbgJpUNn:" https://h.example', 'Zf3D0LXCM3EIMbgJpUNn'],
  ['xoxb is xoxb-65677559833-9613778673399u', '65677559833'],
];

describe('a credential is found', () => {
  it.each(SECRETS)('in %j', (text, secret) => {
    expect(redacted(text)).toContain('[redacted:');
    expect(redacted(text)).not.toContain(secret);
  });
});

describe('what stands after a name', () => {
  it.each(['e}){return', 'a.b.c', '!a.b', 'f(x', 'null==t', '[]T{', 'struct{}{', 'T{', 'u}}function', 'a.b=c.d='])(
    '%s is code',
    (value) => {
      expect(isExpression(value)).toBe(true);
    },
  );

  it.each(['hunter2', 'm{{h}o)p${e]n', 'hunter)x9', 'YWJjZGVm==', 'a9x8y7)', 'x9!y8'])('%s may be a value', (value) => {
    expect(isExpression(value)).toBe(false);
  });

  it('may be a variable, if the name is in quotes', () => {
    expect(['base64PrivateKey', 'token', 'secretOfAnn'].filter(isVariable)).toHaveLength(3);
    expect(['hunter2x', 'q9w8e7', 'Zf3D0LXCM3', 'a-b'].filter(isVariable)).toEqual([]);
  });

  it('is between two texts if its quote ends one', () => {
    const text = 'f("password: ", x, "a")';
    const start = text.indexOf('", x') + 1;
    expect(isBetweenTexts(text, { start, value: ', x, ', quote: '"' })).toBe(true);
    expect(isBetweenTexts('password: ", x"', { start: 11, value: ', x', quote: '"' })).toBe(false);
  });
});
