import { describe, expect, it } from 'vitest';
import { JsonText } from '../../src/protocol/json-text.ts';
import { createRedactor } from '../../src/redact/redactor.ts';

const AWS_LIKE = 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0';

describe('a line after a name without a value', () => {
  it.each([
    'AWS_SECRET_ACCESS_KEY=\nAWS_REGION=eu-west-1\n',
    `AWS_SECRET_ACCESS_KEY=\n${AWS_LIKE}\n`,
    'AWS_SECRET_ACCESS_KEY=\nThe next line of text goes on here.\n',
    'AWS_SECRET_ACCESS_KEY=\t\r\nHOST=db-7.example.com\r\n',
    'API_KEY=""\nDEBUG=true-7q8w9e\n',
    "API_KEY=''\nDEBUG=true-7q8w9e\n",
    'export TOKEN=\nexport HOME=/srv/q7w8e9\n',
    'password:\nuser: ann-1234567\n',
    '[s]\nsecret =\nname = ann-of-green-gables-77\n',
    'PASSWORD=\n\nNAME=d9rvli8sX1k2p3q4\n',
    'client_secret=&client_id=abc-123456789&x=1',
  ])('keeps its content: %j', (text) => {
    const redactor = createRedactor({ env: { AWS_SECRET_ACCESS_KEY: '', API_KEY: '' } });
    const message = new JsonText(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text } }));
    expect(redactor.text(text)).toBe(text);
    expect(redactor.json(message)).toBe(message);
  });

  it('is searched like any other', () => {
    const { text } = createRedactor({ env: {} });
    expect(text('AWS_SECRET_ACCESS_KEY=\nDB_PASSWORD=correct-horse-7\n')).toBe(
      'AWS_SECRET_ACCESS_KEY=\nDB_PASSWORD=[redacted:DB_PASSWORD:1]\n',
    );
  });
});

describe('a challenge of a server (RFC 9728, 5.1)', () => {
  it.each([
    'Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"',
    'Bearer error="invalid_token", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource", scope="a b"',
    'DPoP algs="ES256", resource_metadata="https://mcp.example.com/.well-known/x"',
    'Basic realm="q7Wd-zzRt-91xK3j4kL"',
  ])('stays: %s', (challenge) => {
    const { frame, text } = createRedactor({ env: {} });
    const headers = { 'www-authenticate': challenge };
    const response = { kind: 'http-response', at: 0, from: 'server', status: 401, headers } as const;
    expect(frame(response)).toBe(response);
    expect(text(`WWW-Authenticate: ${challenge}`)).toBe(`WWW-Authenticate: ${challenge}`);
  });
});
