/** Value of an environment variable that no output and no request may have. */
export const PLANTED = 'planted-value-of-the-environment';
/** Name of that variable. A cassette asks for it. */
export const PLANTED_NAME = 'HOSTILE_TOKEN';
/** Content of a file beside the cassettes that nobody names. */
export const CANARY = 'content-of-a-file-that-nobody-named';

/** What an attacker puts where a text belongs. `CANARY_FILE` becomes the path of the file with the canary. */
export const TEXTS: Readonly<Record<string, string>> = {
  'a line break and a header': 'x\r\nx-smuggled: 1\r\n\r\nGET /smuggled-request HTTP/1.1\r\nhost: a\r\n\r\n',
  'a line feed': 'x\nx-smuggled: 1',
  'a carriage return': 'x\rx-smuggled: 1',
  'a URL': 'http://attacker.example/steal',
  'a URL without a scheme': '//attacker.example/steal',
  'backslashes of a URL': '\\\\attacker.example\\steal',
  'the user of a URL': '@attacker.example/',
  'the end of a host': '.attacker.example/',
  'a port': ':1@127.0.0.1:9/',
  'a host in Unicode': 'http://аttacker。example/ｅ',
  'a file URL': 'file://CANARY_FILE',
  'a data URL': 'data:text/html,<script>alert(1)</script>',
  'a path': 'CANARY_FILE',
  'a path upwards': '../../../../../../etc/passwd',
  'a path of Windows': '..\\..\\C:\\Windows\\win.ini',
  'a device': '/dev/zero',
  'a command': '$(touch pwned); `touch pwned` | touch pwned & touch pwned\n',
  'a command of our options': 'cmd:touch pwned',
  'a variable of our options': `env:${PLANTED_NAME}`,
  'a variable of a shell': `\${${PLANTED_NAME}} $${PLANTED_NAME} %${PLANTED_NAME}%`,
  'a placeholder': `[redacted:${PLANTED_NAME}]`,
  'a placeholder of everything': '[redacted:PATH] [redacted:__proto__] [redacted:] [redacted:a:b:c]',
  'an option': '--output=pwned',
  'the prototype': '__proto__',
  'the constructor': 'constructor',
  toString: 'toString',
  'a template': '{{constructor.constructor("touch pwned")()}}',
  'a replacement': "$& $' $` $1 $<a>",
  'a format': '%s%n%d%x%o',
  markup: '</script><script>alert(1)</script><img src=x onerror=alert(1)>',
  'a comment of markup': '<!--<script>',
  'the end of CDATA': ']]><x/>&#0;&#27;',
  'a fence of Mermaid': 'a->>b: x\nclick a href "javascript:alert(1)"\n%%{init: {"securityLevel":"loose"}}%%',
  'commands of CI': '\n::set-output name=a::b\n##[error]x\n::stop-commands::x',
  'a colour': '\u001b[31mred\u001b[0m',
  'a cleared screen': '\u001b[2J\u001b[H\u001bc',
  'a link of a terminal': '\u001b]8;;http://attacker.example\u0007click\u001b]8;;\u0007',
  'the clipboard of a terminal': '\u001b]52;c;dG91Y2ggcHduZWQ=\u001b\\',
  'the title of a terminal': '\u001b]0;title\u0007',
  'an answerback': '\u0005\u001b[c\u001b[6n\u001bP$qm\u001b\\',
  'controls of one byte': '\u009b31m\u009d52;c;x\u009c\u0090x\u0084\u0085',
  'other controls': '\u0000\u0001\u0007\u0008\u000b\u000c\u000e\u007f',
  'a direction': '\u202egnp.exe\u202c\u2066a\u2069\u200f',
  tags: '\u{e0001}\u{e0068}\u{e0069}\u{e007f}',
  'invisible characters': '\u200b\u2060\ufeff\u00ad\u3164\u180e',
  'line separators': 'a\u2028b\u2029c',
  'half a pair': 'a\ud800b\udc00',
  'many accents': `a${'\u0301'.repeat(1_000)}`,
  'a long text': 'x'.repeat(20_000),
  'a long line of blanks': `${' '.repeat(10_000)}x`,
  nothing: '',
  'a number': '1e400',
  'what YAML calls a value': '!!js/function "touch pwned"',
  'the end of a document': '...\n---\nformat: mcp-record/1\n',
  'an alias': '*a',
  'an expression that backtracks': `/(a+)+$/ ${'a'.repeat(40)}!`,
  'a secret':
    'password=hunter2hunter2 Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJlc2lnbmF0dXJl',
};

/** What stands where a text or a number belongs. */
export const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e21,
  2 ** 53,
  -(2 ** 53) - 2,
  1e308,
  [],
  {},
  [null],
  [[[]]],
  { __proto__x: 1 },
  ['a', { b: 'c' }],
];

/** Characters that steer a terminal, or hide. They may be in no output for a person. */
export const STEERING: RegExp =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those that steer
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;
