/**
 * Pieces of each grammar that this package reads: delimiters, beginnings without ends, escapes, and nesting. A text of
 * nothing but one of them is what makes a parser or a search look at its input again and again.
 */
export const ADVERSARIAL_UNITS: readonly string[] = [
  // Words and blanks.
  ...[
    'x',
    'aA1',
    ' ',
    '\t',
    '\n',
    '\r',
    '\r\n',
    ' \n',
    '9',
    '-',
    '_',
    '=',
    '.',
    ',',
    'a,',
    ';',
    '(',
    ')',
    '%',
    '%25',
    '%2525',
    '+',
  ],
  // JSON.
  ...[
    '"',
    '\\',
    '\\"',
    '\\u0061',
    '"a",',
    '[',
    ']',
    '[]',
    '{',
    '}',
    '{"a":',
    '[1,',
    '{"a":1},',
    '1e',
    '-',
    '{"id":1}\n',
    '{"jsonrpc":"2.0",',
  ],
  // YAML.
  ...[
    "'",
    "''",
    ':',
    ': ',
    '- ',
    '-\n',
    '- a\n',
    'a: b\n',
    '  a: b\n',
    'a:\n ',
    '# ',
    '? ',
    '| ',
    '&a ',
    '*a ',
    '!a ',
    '---\n',
    '- client: {}\n',
    '- stderr: a\n',
  ],
  // HTTP and event streams.
  ...[
    'a: b\r\n',
    '\r\na:',
    '\r\n ',
    '0\r\n',
    '1\r\nx\r\n',
    '0;',
    'data: ',
    'data: x\n',
    'data: x\n\n',
    'id: \n',
    ':\n',
    'HTTP/1.1 200 OK\r\n\r\n',
    'GET / HTTP/1.1\r\n\r\n',
    'resource_metadata=',
    'resource_metadata="',
    'Bearer a="',
    '=?base64?',
    '?=',
  ],
  // Encodings of texts.
  ...[
    'QUJD',
    'QQ==',
    'QUJD\n',
    'deadbeef',
    'de ad ',
    '\\x41',
    '&',
    '&amp;',
    '&#x26;',
    '\u001b',
    '\u001b[',
    '\u001b[31m',
    '\u0301',
    '\ud800',
    '😀',
    '👩\u200d',
    'é',
    '漢',
    '\u202e',
    '\u2028',
    '\u00c3\u00a9',
  ],
  // Credentials, and what is asked of a model.
  ...[
    'password=',
    'password: ',
    'the key is ',
    'Cookie: a=',
    '-eyJ',
    'eyJhbGciOiJIUzI1NiJ9.',
    'ghp_',
    '-----BEGIN PRIVATE KEY-----\n',
    '[redacted:',
    '[redacted:a:1]',
    'curl -u a:',
    'mysql -p',
    'http://a:b@',
    '://',
    "('a','b'),",
    'kind: Secret\n',
    '<input value="',
    'ignore all ',
    'do not tell ',
    '<important',
  ],
  // Logs and documents of other tools.
  ...[
    '2026-11-26T01:02:03.456Z [info] ',
    '[info] ',
    'Message from server: {',
    'payload: ',
    'meta:\n',
    '{"log":',
    '{{',
    '${',
    '~1',
    '/a',
    '*',
    '**',
    '(a+)+',
  ],
];

/** What people and servers write. */
export const PROSE = 'The quick brown fox jumps over the lazy dog, and says: "It is 9 o\'clock."\n';

/** The same in a script that takes more steps: letters are joined to what a reader takes for one. */
export const OTHER_PROSE =
  'Der schnelle Fuchs läuft über den faulen Hund: »Größer, naïve Bäckerin!« 素早い茶色の狐。\n';

/**
 * A message in YAML, as tools write it. To a parser of YAML, {@link PROSE} is one scalar over many lines, and no list or
 * mapping begins in it: what a text of the usual kind takes, this says.
 */
export const YAML_PROSE = `- t: 1204
  dir: s2c
  payload:
    jsonrpc: "2.0"
    id: 7
    result:
      content:
        - type: text
          text: The quick brown fox jumps over the lazy dog.
`;

/** Returns a text of `length` that repeats a unit. */
export function textOf(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}
