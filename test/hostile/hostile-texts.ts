/** A change to the bytes of a cassette, by its name. */
export type TextChange = readonly [name: string, change: (text: string) => string | Uint8Array];

const FORMAT = 'format: mcp-record/1\n';
const EVENTS = 'transport: stdio\nevents:\n';
const PING = '- client: {"jsonrpc":"2.0","id":1,"method":"ping"}\n- server: {"jsonrpc":"2.0","id":1,"result":{}}\n';
const whole = (name: string, text: string | Uint8Array): TextChange => [name, () => text];
const document = (name: string, events: string): TextChange => whole(name, `${FORMAT}${EVENTS}${events}`);
const inserted = (name: string, bytes: Uint8Array): TextChange => [
  name,
  (text) => {
    const half = Buffer.from(text);
    const at = Math.floor(half.length / 2);
    return Buffer.concat([half.subarray(0, at), bytes, half.subarray(at)]);
  },
];

/** Ten lists of ten aliases each: a billion values, if they were followed. */
function bomb(): string {
  const lists = Array.from(
    { length: 9 },
    (_, level) => `a${level + 1}: &a${level + 1} [${`*a${level},`.repeat(10)}]\n`,
  );
  return `${FORMAT}a0: &a0 x\n${lists.join('')}${EVENTS}- client: { id: 1, method: a, params: *a9 }\n`;
}

export const TEXT_CHANGES: readonly TextChange[] = [
  whole('an empty file', ''),
  whole('a bomb of aliases', bomb()),
  document(
    'a bomb in an event',
    `- client: { id: 1, method: a, params: { a: &a [x,x,x,x,x,x,x,x], b: &b [${'*a,'.repeat(9)}*a], c: &c [${'*b,'.repeat(9)}*b], d: &d [${'*c,'.repeat(9)}*c], e: &e [${'*d,'.repeat(9)}*d], f: [${'*e,'.repeat(9)}*e] } }\n`,
  ),
  document('an alias of itself', '- client: &a { id: 1, method: a, params: { x: *a } }\n'),
  document('an alias of nothing', '- client: *none\n'),
  document('merge keys', '- client: { <<: &a { id: 1 }, method: a, params: { <<: [*a, *a] } }\n'),
  document(
    'a tag of a language',
    '- client: !!js/function "touch pwned"\n- server: !!python/object/apply:os.system ["touch pwned"]\n',
  ),
  document('a tag of our own', '- client: !include CANARY_FILE\n'),
  document(
    'tags of YAML',
    '- client: { id: !!int "9", method: !!str a, params: { a: !!binary QQ==, b: !!set {a}, c: !!timestamp 2001-01-01, d: !!float .nan, e: !!omap [a: 1] } }\n',
  ),
  whole('a directive', `%YAML 9.9\n%TAG ! tag:attacker.example,2000:\n---\n${FORMAT}${EVENTS}${PING}`),
  whole('many documents', `---\n${FORMAT}${EVENTS}${PING}${`---\n${FORMAT}${EVENTS}${PING}`.repeat(50)}`),
  document('deep lists', `- client: ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`),
  document('deep mappings', `- client: ${'{a: '.repeat(5_000)}1${'}'.repeat(5_000)}\n`),
  document('deep blocks', `- client:\n${Array.from({ length: 600 }, (_, at) => `${' '.repeat(at + 4)}a:\n`).join('')}`),
  document('deep dashes', `- client:\n    ${'- '.repeat(20_000)}a\n`),
  document('keys that are lists', '- client: { ? [a, b] : c, ? {a: b} : c, ~: d }\n'),
  document('a key twice', '- client: { id: 1, id: 2, method: a, method: b }\n'),
  document('an event key twice', '- client: { id: 1, method: a }\n  client: { id: 2, method: b }\n'),
  whole('a header twice', `${FORMAT}${FORMAT}transport: http\n${EVENTS}${PING}`),
  document(
    'the prototype',
    '- client: { id: 1, method: tools/call, params: { __proto__: { polluted: true }, name: a, arguments: { constructor: { prototype: { polluted: true } } } } }\n- server: { id: 1, result: { __proto__: { polluted: true }, content: [] } }\n- __proto__: { polluted: true }\n',
  ),
  document(
    'the prototype in JSON',
    `- client: '{"jsonrpc":"2.0","id":1,"method":"a","params":{"__proto__":{"polluted":true},"__proto__":1}}'\n`,
  ),
  document(
    'numbers of YAML',
    '- client: { id: 0x7fffffffffffffff, method: a, params: [0o777, .inf, -.inf, .nan, 1_000, 0b11, 1e9999, -0, 123456789012345678901234567890, 190:20:30] }\n',
  ),
  document(
    'numbers of JSON',
    `- client: '{"jsonrpc":"2.0","id":9007199254740993,"method":"a","params":[1e9999,-0,0.1e-999,123456789012345678901234567890]}'\n- server: '{"jsonrpc":"2.0","id":9007199254740992,"result":{}}'\n`,
  ),
  document(
    'a number of a million digits',
    `- client: '{"jsonrpc":"2.0","id":${'9'.repeat(1_000_000)},"method":"a"}'\n`,
  ),
  document(
    'JSON that is none',
    `- client: '{"jsonrpc":"2.0","id":1,"method":"a"'\n- server: '{"id":1,"id":2,"result":{}}}'\n- server: '[[[['\n- server: "\\ud800"\n`,
  ),
  document('many events', `${PING}`.repeat(5_000)),
  document('many empty events', '-\n'.repeat(20_000)),
  document('many lines without an event', `${'# x\n'.repeat(100_000)}${PING}`),
  document('many keys', `- client: {${Array.from({ length: 20_000 }, (_, at) => `k${at}: 1`).join(', ')}}\n`),
  document('a line of a megabyte', `- stderr: "${'x'.repeat(1_000_000)}"\n${PING}`),
  document('escapes of a megabyte', `- stderr: "${'\\e\\u202e'.repeat(60_000)}"\n${PING}`),
  document('a folded text without end', `- stderr: >-9\n${' a\n\n'.repeat(20_000)}`),
  document('a quote without end', `- stderr: "${'a\n'.repeat(20_000)}`),
  document('half-open flows', `- client: {${'a: [{'.repeat(5_000)}\n`),
  document(
    'indents that change',
    `- client:\n${Array.from({ length: 2_000 }, (_, at) => `${' '.repeat((at * 7) % 30)}a: b\n`).join('')}`,
  ),
  document('tabs', '-\tclient:\t{ id: 1,\tmethod: a }\n\t- server: x\n'),
  ['carriage returns', (text) => text.replaceAll('\n', '\r')],
  ['both line ends', (text) => text.replaceAll('\n', '\r\n\r')],
  ['other line ends', (text) => text.replaceAll('\n', '\u0085')],
  ['line separators', (text) => text.replaceAll('\n', '\u2028')],
  ['a mark in front', (text) => `\ufeff\ufeff${text}`],
  ['UTF-16', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  inserted('broken UTF-8', Buffer.from([0xc0, 0x80, 0xff, 0xfe, 0xed, 0xa0, 0x80])),
  inserted('zero bytes', Buffer.alloc(1_000)),
  inserted('a long sequence', Buffer.from([0xf8, 0x88, 0x80, 0x80, 0x80])),
  inserted('an escape', Buffer.from('\u001b]52;c;x\u0007\u009b2J\u202e')),
  inserted('a conflict', Buffer.from('\n<<<<<<< \u001b[2J\n=======\n>>>>>>> x\n')),
  ['cut off', (text) => text.slice(0, Math.floor(text.length * 0.7))],
  ['backwards', (text) => text.split('\n').reverse().join('\n')],
  ['twice', (text) => text + text],
  ['events elsewhere', (text) => text.replace(/^events:$/m, 'events: &a\n  - *a\nevents:')],
];
