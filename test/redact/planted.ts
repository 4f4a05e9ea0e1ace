import { stripVTControlCharacters } from 'node:util';
import type { Frame } from '../../src/channel/frame.ts';
import { JsonText } from '../../src/protocol/json-text.ts';
import { TOKEN_PATTERNS } from '../../src/redact/detect/tokens/token-patterns.ts';

/** A secret, and a text that gives it away. */
export interface Planted {
  kind: string;
  text: string;
  secret: string;
}

const named = (kind: string, text: string, secret: string): Planted => ({ kind, text, secret });
const basic = Buffer.from('ann:s3same-0pen').toString('base64');

/** The kinds that are known by their looks: what the pattern calls the secret. */
const byLooks: Planted[] = TOKEN_PATTERNS.map(({ name, pattern, example }) => {
  const text = example().join('');
  const [all, group] = pattern.exec(text)!;
  const longestLine = (group ?? all).split('\n').sort((a, b) => b.length - a.length)[0]!;
  return named(name, text, longestLine);
});

/** The kinds that what stands around them gives away. */
const byNeighbours: Planted[] = [
  named('a key in prose', 'Your ACME key is 2afddb813193eb9d3b5bd99b, keep it', '2afddb813193eb9d3b5bd99b'),
  named('key with blanks', 'key = yb+Ygm82FfUworm2exB+Uk255p0u', 'yb+Ygm82FfUworm2exB+Uk255p0u'),
  named('key of letters alone', 'mailer_key: "hfCnuVcYOgiRjlDEmAoRbN"', 'hfCnuVcYOgiRjlDEmAoRbN'),
  named('auth at the end', 'acmeAuth := "bn6htprmfpukfalts4mu"', 'bn6htprmfpukfalts4mu'),
  named('session key', 'acme_session_key: "Y6D1FIS3XZXIJLKD82P6U8IX"', 'Y6D1FIS3XZXIJLKD82P6U8IX'),
  named('key of a query', 'https://api.example/v1?key=9e4635bc-28dc-25d3-8546-2b30115d9a7b', '9e4635bc-28dc-25d3'),
  named('of a stage', 'password_prod = "hunter2-x"', 'hunter2-x'),
  named('of a stage, loud', 'DB_PASSWORD_STAGING=hunter2-x', 'hunter2-x'),
  named('words behind', 'my_secret_for_billing = ejEttEVQ7WQiC0OdFhvXM7i3', 'ejEttEVQ7WQiC0OdFhvXM7i3'),
  named('a constructor', 'std::string secret("m{{h}o)p${e]nob(ody");', 'm{{h}o)p${e]nob(ody'),
  named('with a dot', 'token: s.ZC9Ecf4M5g9o34Q6RkzGsj0z', 's.ZC9Ecf4M5g9o34Q6RkzGsj0z'),
  named('curl, letters alone', 'curl -u ann:yqDVtkqPECriaLRi https://h.example', 'yqDVtkqPECriaLRi'),
  named('password=', 'password=hunter2-x', 'hunter2-x'),
  named('PASSWORD', 'export DB_PASSWORD=hunter2-x', 'hunter2-x'),
  named('quoted', 'client_secret: "ab1-cd2-ef3"', 'ab1-cd2-ef3'),
  named('--option', 'serve --api-key q9w8e7r6 --port 80', 'q9w8e7r6'),
  named('--option=', 'serve --auth-token=q9w8e7r6', 'q9w8e7r6'),
  named('header', 'X-Api-Key: q9w8e7r6', 'q9w8e7r6'),
  named('bearer', 'Authorization: Bearer q9w8e7r6t5', 'q9w8e7r6t5'),
  named('bearer alone', 'sent Bearer q9w8e7r6t5 to it', 'q9w8e7r6t5'),
  named('basic', `Authorization: Basic ${basic}`, basic),
  named('cookie', 'Cookie: sid=q9w8e7r6t5; theme=q9dark8', 'q9w8e7r6t5'),
  named('url', 'postgres://ann:s3same-0pen@db.example/app', 's3same-0pen'),
  named('url token', 'https://q9w8e7r6t5y4u3i2@git.example/a.git', 'q9w8e7r6t5y4u3i2'),
  named('ado', 'Server=db;User Id=ann;Password=s3same-0pen;', 's3same-0pen'),
  named('query', 'https://api.example/v1?access_token=q9w8e7r6&page=2', 'q9w8e7r6'),
  named('curl', 'curl -u ann:s3same-0pen https://h.example', 's3same-0pen'),
  named('xml', '<db><password>s3same-0pen</password></db>', 's3same-0pen'),
  named('odbc', 'Driver=x;Uid=sa;Pwd=s3same-0pen;', 's3same-0pen'),
  named(
    'aws',
    'AWS_SECRET_ACCESS_KEY=/JalrXUtnFEMI/K7MDENG/bPxRfiCYKEYKEYKEY',
    '/JalrXUtnFEMI/K7MDENG/bPxRfiCYKEYKEYKEY',
  ),
  named('coloured name', '\u001b[32mpassword\u001b[0m=\u001b[1m"s3same-0pen"', 's3same-0pen'),
  named('key variable', 'export STRIPE_KEY=q9w8e7r6', 'q9w8e7r6'),
  named('said', 'Your temporary password is T7x4Lq9Z2m', 'T7x4Lq9Z2m'),
  named('netrc', 'machine h.example login ann password T7x4Lq9Z2m', 'T7x4Lq9Z2m'),
  named('dockerfile', 'ENV API_TOKEN T7x4Lq9Z2m', 'T7x4Lq9Z2m'),
  named('sql', "ALTER USER ann WITH PASSWORD 'T7x4Lq9Z2m'", 'T7x4Lq9Z2m'),
  named('table', '| api key | T7x4Lq9Z2m |', 'T7x4Lq9Z2m'),
  named('xml attributes', '<add key="ApiKey" value="q9w8e7r6t5"/>', 'q9w8e7r6t5'),
  named('form field', '<input type="password" name="p" value="q9w8e7r6t5">', 'q9w8e7r6t5'),
  named('digest', 'Authorization: Digest username="a", response="1f2e3d4c5b6a7988"', '1f2e3d4c5b6a7988'),
  named('callback', 'GET /callback?state=af0ifj&code=q9w8e7r6t5y4 HTTP/1.1', 'q9w8e7r6t5y4'),
  named('signed', 'https://b.example/k?X-Amz-Date=2026&X-Amz-Signature=1f2e3d4c5b6a', '1f2e3d4c5b6a'),
  named('device code', '{"device_code":"q9w8e7r6t5","user_code":"WDJB"}', 'q9w8e7r6t5'),
  named('env of a server', '{"env":{"WEATHER_KEY":"q9w8e7r6t5"}}', 'q9w8e7r6t5'),
  named('pair', '{"Key":"Password","Value":"q9w8e7r6t5"}', 'q9w8e7r6t5'),
  named('in entities', '<pre>api_key=&quot;q9w8e7r6t5&quot;</pre>', 'q9w8e7r6t5'),
  named('in entities by number', 'password=&#39;s3same-0pen&#39;', 's3same-0pen'),
  named('in escaped entities', 'token: &amp;#x27;q9w8e7r6t5&amp;#x27;', 'q9w8e7r6t5'),
  named('a listed header', '["X-Api-Key","q9w8e7r6"]', 'q9w8e7r6'),
  named('a listed authorization', '["Authorization","Token q9w8e7r6t5"]', 'q9w8e7r6t5'),
  named('raw headers', '["Host","h.example","X-Auth-Token","q9w8e7r6t5"]', 'q9w8e7r6t5'),
  named('a listed variable', '[["PATH","/bin"],["STRIPE_KEY","q9w8e7r6t5"]]', 'q9w8e7r6t5'),
  named('a tuple', "headers=[('X-Api-Key', 'q9w8e7r6')]", 'q9w8e7r6'),
  named('a call', 'req.setHeader("Authorization", "Token q9w8e7r6t5")', 'q9w8e7r6t5'),
  named('a header of HAR', '{"name":"X-Api-Key","value":"q9w8e7r6"}', 'q9w8e7r6'),
  named('a header of HAR, value first', '{"value":"q9w8e7r6","name":"X-Api-Key"}', 'q9w8e7r6'),
  named('a cookie of HAR', '{"name":"Cookie","value":"sid=q9w8e7r6t5; a=b"}', 'q9w8e7r6t5'),
  named('a tuple of bytes', "(b'X-Api-Key', b'q9w8e7r6')", 'q9w8e7r6'),
  named('an attribute of OpenTelemetry', '{"key":"http.x-api-key","value":{"stringValue":"q9w8e7r6t5"}}', 'q9w8e7r6t5'),
  named('a header of several values', '{"name":"X-Api-Key","values":["q9w8e7r6t5"]}', 'q9w8e7r6t5'),
  named('bold in Markdown', '**API key**: q9w8e7r6t5', 'q9w8e7r6t5'),
  named('code in Markdown', '- **Password:** `q9w8e7r6t5`', 'q9w8e7r6t5'),
  named('yaml', 'aws:\n  secret_access_key: q9w8e7r6/t5y4+u3\n', 'q9w8e7r6/t5y4+u3'),
  named('json', '{"user":"ann","refresh_token":"q9w8e7r6"}', 'q9w8e7r6'),
  named('a row of SQL', "INSERT INTO users(name,password) VALUES('bob','s3same-0pen');", 's3same-0pen'),
  named(
    'rows of SQL',
    'INSERT INTO "u" ("id", "api_key") VALUES (1, \'it\'\'s, (q9w8\'), (2, \'s3same-0pen\')',
    's3same-0pen',
  ),
  named(
    'an expression of SQL',
    "replace into u (password, n) values (crypt('s3same-0pen', gen_salt('bf')), 2)",
    's3same-0pen',
  ),
  named('pgpass', 'db.example:5432:*:ann:s3same-0pen', 's3same-0pen'),
  named('netrc, a word', 'machine h.example login ann password lettermein', 'lettermein'),
  named('CDATA', '<db><password><![CDATA[s3same-0pen]]></password></db>', 's3same-0pen'),
  named('three quotes', 'password = """s3same-0pen"""', 's3same-0pen'),
  named('said of somebody', 'the password for ann is: T7x4Lq9Z2m', 'T7x4Lq9Z2m'),
  named(
    'cookies in one',
    'set-cookie: a=b1c2d3e4; Expires=Wed, 21 Oct 2026 07:28:00 GMT, sid=q9w8e7r6t5; Path=/',
    'q9w8e7r6t5',
  ),
  named('cookies of fetch', '{"set-cookie":"a=b1c2d3e4; Path=/, sid=q9w8e7r6t5"}', 'q9w8e7r6t5'),
  named('a column', '{"column":"password","val":"s3same-0pen"}', 's3same-0pen'),
  named('curl in one word', "curl -s -u'ann:s3same-0pen' https://h.example", 's3same-0pen'),
  named('mysql', 'mysql -u root -ps3same-0pen app', 's3same-0pen'),
  named('mysqldump', 'mysqldump -h h -e "a;b" -p"s3same;0pen" app > a.sql', 's3same;0pen'),
  named('sshpass', 'sshpass -p s3same-0pen ssh ann@h.example', 's3same-0pen'),
  named('docker login', 'docker login -u ann -p s3same-0pen r.example', 's3same-0pen'),
  named('helm', 'helm registry login r.example -u ann -p=s3same-0pen', 's3same-0pen'),
  named('redis', 'redis-cli -h h -a s3same-0pen PING', 's3same-0pen'),
  named('mongo', "mongodump --host h -u ann -p 's3same-0pen' -d app", 's3same-0pen'),
  named('sqlcmd', 'sqlcmd -S h -U sa -P s3same-0pen -Q x', 's3same-0pen'),
  named('zip', 'zip -r -P s3same-0pen a.zip a', 's3same-0pen'),
  named('ldap', 'ldapsearch -x -D cn=admin -w s3same-0pen -b dc=x', 's3same-0pen'),
  named('openssl', 'openssl enc -aes-256-cbc -k s3same-0pen -in a', 's3same-0pen'),
  named('with a type', 'const apiKey: string = "s3same-0pen";', 's3same-0pen'),
  named('with a type of Go', 'var apiToken string = "s3same-0pen"', 's3same-0pen'),
  named('make', 'API_TOKEN ?= "s3same-0pen"', 's3same-0pen'),
  named('make at once', 'API_TOKEN ::= "s3same-0pen"', 's3same-0pen'),
  named('php', '$apiToken .= "s3same-0pen"', 's3same-0pen'),
  named('C#', 'password = @"s3same-0pen";', 's3same-0pen'),
  named('C', 'char password[32] = "s3same-0pen";', 's3same-0pen'),
  named('compared', 'if (password != "s3same-0pen")', 's3same-0pen'),
  named('compared, value first', 'if ("s3same-0pen" == password)', 's3same-0pen'),
  named('a dash', "acme token - 'Zf3D0LXCM3EIMbgJpUNn'", 'Zf3D0LXCM3EIMbgJpUNn'),
  named('among words in braces', '<secret>{acme AQAB Zf3D0LXCM3EIMbgJpUNn}</secret>', 'Zf3D0LXCM3EIMbgJpUNn'),
  named('a key of somebody', 'acme_key: "Zf3D0LXCM3EIMbgJpUNn"', 'Zf3D0LXCM3EIMbgJpUNn'),
  named('a key', 'using Key=Zf3D0LXCM3EIMbgJpUNn', 'Zf3D0LXCM3EIMbgJpUNn'),
  named('a variable', 'GH_PAT=Zf3D0LXCM3EI', 'Zf3D0LXCM3EI'),
  named('ansible', 'ssh_pass: s3same0pen', 's3same0pen'),
  named('kubernetes', '- name: DB_PASSWORD\n  value: s3same-0pen', 's3same-0pen'),
  named('escaped JSON', '{\\"api_key\\": \\"s3same-0pen\\"}', 's3same-0pen'),
  named('an @ in a password', 'postgres://ann:s3same@0pen@db.example/app', 's3same@0pen'),
  named('a token as a user', 'git+https://Zf3D0LXCM3EIMbgJpUNn:x-oauth-basic@git.example/a', 'Zf3D0LXCM3EIMbgJpUNn'),
  named('smb', 'smbclient //h/s -U ann%s3same-0pen -c ls', 's3same-0pen'),
];

export const KINDS: readonly Planted[] = [...byLooks, ...byNeighbours];

const message = (value: unknown): Frame => ({
  kind: 'message',
  at: 0,
  from: 'server',
  json: new JsonText(JSON.stringify(value)),
});
const result = (value: unknown) => message({ jsonrpc: '2.0', id: 1, result: value });
const call = (args: unknown) =>
  message({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x', arguments: args } });
const stderr = (data: string | Uint8Array): Frame => ({
  kind: 'line',
  at: 0,
  from: 'server',
  on: 'stderr',
  data,
});
const reply = { kind: 'http-response', at: 0, from: 'server', status: 400 } as const;

/** Everywhere in a session that a text can stand. */
export const PLACES: Readonly<Record<string, (text: string) => Frame>> = {
  'an argument': (text) => call({ text }),
  'the midst of an argument': (text) => call({ a: { b: [1, `look: ${text} !`] } }),
  'a list of arguments': (text) => call(['-v', text]),
  'a text block': (text) => result({ content: [{ type: 'text', text: `here:\n${text}\nend` }] }),
  'structured content and its copy': (text) =>
    result({
      content: [{ type: 'text', text: JSON.stringify({ a: text }) }],
      structuredContent: { a: text },
    }),
  'JSON in a string': (text) => result({ text: JSON.stringify({ a: [text] }, null, 2) }),
  'JSON in JSON in a string': (text) => result({ text: JSON.stringify({ a: JSON.stringify([text]) }) }),
  'a URL-encoded field': (text) => result({ uri: `https://h.example/?q=${encodeURIComponent(text)}&n=1` }),
  'a form, encoded': (text) => ({
    ...reply,
    body: new URLSearchParams({ q: text }).toString(),
  }),
  base64: (text) => result({ blob: Buffer.from(`a file with ${text}\n`).toString('base64') }),
  'base64 in a data URL': (text) => result({ uri: `data:text/plain;base64,${Buffer.from(text).toString('base64')}` }),
  'base64 of UTF-16': (text) =>
    call({ run: `powershell -enc ${Buffer.from(`Write ${text}\r\n`, 'utf16le').toString('base64')}` }),
  hexadecimal: (text) => result({ dump: Buffer.from(`a file with ${text}\n`).toString('hex') }),
  'hexadecimal in capitals, after what is none': (text) =>
    stderr(`got 0x${Buffer.from(`: ${text} .`).toString('hex').toUpperCase()}!`),
  'an odd number of digits': (text) => stderr(`a${Buffer.from(`a file with ${text}\n`).toString('hex')}`),
  'base64url in a path': (text) =>
    result({ uri: `https://h.example/f/${Buffer.from(`: ${text} .`).toString('base64url')}` }),
  'a line of standard error': (text) => stderr(`12:00 INFO ${text}`),
  'a line of standard error, in colour': (text) => stderr(`\u001b[2m12:00\u001b[0m \u001b[33m${text}\u001b[0m`),
  'bytes that are not UTF-8': (text) => stderr(Buffer.from(`\xff\xfe ${text} `, 'latin1')),
  'JSON that is torn': (text) => stderr(`{"level":"info","msg":${JSON.stringify(`x ${text} y`)},"n":`),
  'a line that is no message': (text) => ({
    kind: 'line',
    at: 0,
    from: 'server',
    on: 'protocol',
    data: `started with ${text}`,
  }),
  'a batch': (text) =>
    message([
      { jsonrpc: '2.0', method: 'a' },
      { jsonrpc: '2.0', id: 2, result: { text } },
    ]),
  'an error': (text) =>
    message({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: `no: ${text}`, data: { text } } }),
  'a log entry': (text) =>
    message({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: text } }),
  'an answer of a person': (text) => result({ action: 'accept', content: { text } }),
  // HTTP carries neither line breaks nor what colours a terminal.
  'a header': (text) => ({
    ...reply,
    headers: { 'www-authenticate': stripVTControlCharacters(text).replaceAll('\n', ' ') },
  }),
  'a path': (text) => ({
    kind: 'open',
    at: 0,
    from: 'client',
    method: 'GET',
    path: `/mcp?q=${encodeURIComponent(text)}`,
  }),
  'a body of JSON': (text) => ({ ...reply, body: JSON.stringify({ error: text }) }),
  'an event': (text) => ({ kind: 'sse', at: 0, from: 'server', sse: { data: text } }),
  'a comment': (text) => ({ kind: 'comment', at: 0, from: 'server', text: text.replaceAll('\n', ' ') }),
  'a key': (text) => result({ [text]: true }),
};

const DECODERS: readonly ((text: string) => string)[] = [
  (text) => text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  (text) => text.replace(/\\(.)/g, (_, c: string) => (c === 'n' ? '\n' : c)),
  (text) => text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  (text) => [...text.matchAll(/[\w+/-]{8,}/g)].map(([run]) => unbase64(run)).join(' '),
  (text) => [...text.matchAll(/[\w-]{8,}/g)].map(([run]) => unbase64(run)).join(' '),
  (text) => text.replaceAll('\0', ''),
  (text) => [...text.matchAll(/[\da-f]{8,}/gi)].map(([run]) => unhex(run)).join(' '),
];

/** Of an odd number of digits either the first or the last is none of it. */
function unhex(run: string): string {
  return [run, run.slice(1)].map((digits) => Buffer.from(digits, 'hex').toString('latin1')).join(' ');
}

function unbase64(run: string): string {
  return Buffer.from(run, 'base64').toString('latin1');
}

/** All that can be read in a frame by somebody who decodes what is encoded in it. */
export function readable(frame: Frame): string {
  const texts = Object.values(frame).map((part: unknown) => {
    if (part instanceof JsonText) return part.text;
    return part instanceof Uint8Array ? Buffer.from(part).toString('latin1') : JSON.stringify(part);
  });
  let layer = [texts.join('\n')];
  const all = new Set(layer);
  for (let depth = 0; depth < 3; depth++) {
    layer = layer.flatMap((text) => DECODERS.map((decode) => decode(text))).filter((text) => !all.has(text));
    for (const text of layer) all.add(text);
  }
  return [...all].join('\n');
}
