import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCassette } from '../../../src/cassette/read/parse-cassette.ts';
import { redactCassette } from '../../../src/record/redact-file/redact-cassette.ts';
import { createRedactor } from '../../../src/redact/redactor.ts';

const HEAD = 'format: mcp-record/1\ntransport: http\nevents:\n';
const redact = (text: string, env = {}) => redactCassette(text, 'cassette.yaml', createRedactor({ env }));
const events = (text: string) => redact(HEAD + text).text.slice(HEAD.length);

describe('a cassette that secrets are taken out of', () => {
  it('keeps comments, blank lines, order and layout to the byte', () => {
    const cassette = `# kept by Ann  \nformat: mcp-record/1   # and this
transport: "http"
url: https://example.com/mcp

events:
# the first one
- client: { id: 1.0, method: tools/call, params: {arguments: { password: SECRET, 'n' : 1e400, }} } # odd

# the second
- server:   # with a note
    "id": 1
    result:
        token:    'SECRET'   # quoted
        text: >-
          folded SECRET
          text
        other: |   # block
          a


          b SECRET
    # in between
        9: [SECRET , "SECRET"]
  headers: {}
  after: 40
`;
    const secret = 'zebra-92-lamp';
    const folded = 'text: >-\n          folded SECRET\n          text';
    const { text, secrets } = redact(cassette.replaceAll('SECRET', secret));
    const placed = '[redacted:password:1]';
    expect(text).toBe(
      cassette
        .replace('password: SECRET', `password: "${placed}"`)
        .replace("'SECRET'", `'${placed}'`)
        .replace(folded, `text: folded ${placed} text`)
        .replace('b SECRET', `b ${placed}`)
        .replace('[SECRET , "SECRET"]', `["${placed}" , "${placed}"]`),
    );
    expect(secrets.map(({ line, kind }) => `${line} ${kind}`)).toEqual([
      '8 password',
      '14 password',
      '15 password',
      '22 password',
      '24 password',
      '24 password',
    ]);
  });

  it('is the same text where there is none, of every cassette of ours', () => {
    const folder = join(import.meta.dirname, '..', '..', '..', 'cassettes');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'));
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) {
      const text = readFileSync(join(folder, file), 'utf8');
      expect(redact(text), file).toMatchObject({ text, secrets: [] });
    }
  });

  it('loses those of raw lines, bytes, standard error, bodies, headers, paths and comments', () => {
    const secret = 'zebra-92-lamp';
    const bytes = (text: string) => Buffer.from(text, 'latin1').toString('base64');
    const cassette = `- client: '{"id":1,"id":2,"password":"${secret}"}'
- serverBytes: "${bytes(`\xff ${secret}`)}"
- stderr: |-
    two lines
    with ${secret}
- open: GET
  stream: 1
  path: /mcp?q=${secret}
  headers: { x-api-key: ${secret} }
- response: 400
  stream: 1
  body: |
    no
    ${secret}
# ${secret}
- sse: { id: a, data: "/m?token=${secret}" }
  stream: 1
- server: { id: 2, result: {} }
  stream: 1
  sse: { id: "${secret}", retry: 5 }
- server: "no JSON"
  stream: 1
  sse: { id: "${secret}/2" }
- open: GET
  stream: 2
  resumes: "${secret}"
- comment: ${secret}
  stream: 1
- authorization:
    request: oauth/token
    url: https://a.example/token
    response: { access_token: other-92-lamp, scope: "${secret}" }
`;
    const safe = events(cassette);
    expect(safe).not.toContain(secret);
    expect(safe.match(/\[redacted:password:1\]/g)).toHaveLength(12);
    expect(safe).toContain('access_token: "[redacted:access_token:1]"');
    expect(Buffer.from(/serverBytes: "(.*)"/.exec(safe)![1]!, 'base64').toString('latin1')).toBe(
      '\xff [redacted:password:1]',
    );
  });

  it('keeps the line breaks of the file, and its byte order mark', () => {
    const cassette =
      `\ufeff${HEAD}- client: { id: 1, method: a, params: { password: hunter2-x } }\n- stderr: "a"\n`.replaceAll(
        '\n',
        '\r\n',
      );
    expect(redact(cassette).text).toBe(cassette.replace('hunter2-x', '"[redacted:password:1]"'));
  });

  it('loses those of the URL that was recorded, however it was written', () => {
    const cassette = 'format: mcp-record/1\ntransport: http\nurl: URL # it\nevents: []\n';
    for (const quote of ['', '"', "'"]) {
      const url = (token: string) => `${quote}https://example.com/mcp?token=${token}${quote}`;
      const { text } = redact(cassette.replace('URL', url('zebra-92-lamp')));
      expect(text).not.toContain('zebra-92-lamp');
      expect(parseCassette(text, 'a').header.url).toBe('https://example.com/mcp?token=[redacted:token:1]');
      expect(text).toMatch(/^format: mcp-record\/1\ntransport: http\nurl: .* # it\nevents: \[\]\n$/);
    }
  });

  it('counts on from the placeholders that it has', () => {
    const cassette =
      '- client: { id: 1, method: a, params: { password: hunter2-x } }\n- stderr: password=[redacted:password:1]\n';
    expect(events(cassette)).toBe(cassette.replace('hunter2-x', '"[redacted:password:2]"'));
  });

  it('may have anchors, and lists of another layout', () => {
    const cassette = `{format: mcp-record/1, transport: stdio, events: [ {client: {id: 1, method: &m x/y, params: &p {password: hunter2-x}}}, {client: {id: 2, method: *m, params: *p}} ]}\n`;
    expect(redact(cassette).text).toBe(cassette.replace('hunter2-x', '"[redacted:password:1]"'));
  });

  it('loses those of what a killed recorder did not finish, too', () => {
    const cassette = `# MCP session recorded by mcp-record. Format: mcp-record/1
format: mcp-record/1
recorder: mcp-record 0.1.0
transport: stdio
events:
- stderr: fine
- client:
    params:
      password: hunter2-x`;
    const { text, warnings } = redact(cassette);
    expect(text).toBe(cassette.replace('hunter2-x', '[redacted:password:1]'));
    expect(warnings).toHaveLength(1);
  });

  it('is refused with the line where taking one out would change what is none', () => {
    const shared = `${HEAD}- client: { id: &a hunter2-x, method: a, params: { password: *a } }\n`;
    expect(() => redact(shared)).toThrow(/\[CASSETTE_NOT_REDACTED\]\s+at cassette.yaml:4/);
    expect(() => redact(shared)).not.toThrow(/hunter2/);
  });

  it('that cannot be searched is an error with a code, and no stack', () => {
    const redactor = createRedactor({ env: {} });
    const broken = { ...redactor, frame: () => ''.repeat(-1) as never };
    const cassette = `${HEAD}- client: { id: 1, method: a }\n`;
    expect(() => redactCassette(cassette, 'cassette.yaml', broken)).toThrow(
      expect.objectContaining({ code: 'CASSETTE_NOT_SEARCHED', message: expect.stringContaining('Invalid count') }),
    );
  });
});
