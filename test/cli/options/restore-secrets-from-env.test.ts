import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/cassette.ts';
import { type Command, mcpRecord } from '../../support/command.ts';
import { fixture, recorder, run } from '../../support/process.ts';

const TOKEN = 'q7Zk29xLmP0vRt41';
const ASK = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x/y', params: { auth: TOKEN } })}\n`;
const file = join(temporaryFolder(), 'cassette.yaml');

const withToken = (command: Command, value = TOKEN): Command => ({ ...command, env: { ANSWERS_TOKEN: value } });
const { command: node, args: server } = fixture('answers.js');
const verify = (...options: string[]) => mcpRecord('verify', ...options, file, '--', node, ...server);

describe('a cassette whose secret is that of a variable', () => {
  it('is recorded without it', async () => {
    await run(withToken(recorder(file, fixture('answers.js'))), ASK);
    expect(readFileSync(file, 'utf8')).not.toContain(TOKEN);
    expect(readFileSync(file, 'utf8')).toContain('[redacted:ANSWERS_TOKEN:1]');
  });

  it('is not verified with placeholders', async () => {
    const { stderr, status } = await run(verify());
    expect([stderr, status]).toEqual([
      expect.stringMatching(
        /ANSWERS_TOKEN.*\[SECRETS_MISSING\].*--secrets-from-env ANSWERS_TOKEN\. If rules of your own/s,
      ),
      2,
    ]);
    const withRules = await run(verify('--redact-key', 'auth'));
    expect(withRules.stderr).toMatch(/SECRETS_MISSING.*--secrets-from-env ANSWERS_TOKEN\.$/ms);
    const unset = await run(verify('--secrets-from-env', 'ANSWERS_TOKEN'));
    expect([unset.stderr, unset.status]).toEqual([expect.stringContaining('have no value: ANSWERS_TOKEN'), 2]);
  });

  it('gets no variable that was not given by name, though it is set', async () => {
    const { stderr, status } = await run(withToken(verify('--secrets-from-env', 'OTHER')));
    expect([stderr, status]).toEqual([expect.stringMatching(/SECRETS_MISSING.*OTHER,ANSWERS_TOKEN/s), 2]);
  });

  it('is verified, and replayed, with the variable', async () => {
    const note = 'Note: --secrets-from-env names ANSWERS_TOKN, which is not set, and no placeholder of';
    const verified = await run(withToken(verify('--secrets-from-env', 'ANSWERS_TOKN, ANSWERS_TOKEN')));
    expect([verified.stderr, verified.status]).toEqual([expect.stringContaining(note), 0]);
    expect((await run(withToken(verify('--secrets-from-env', 'ANSWERS_TOKEN')))).stderr).not.toContain('Note:');
    const replay = mcpRecord('replay', '--secrets-from-env', 'ANSWERS_TOKEN', file);
    const { stdout, status } = await run(withToken(replay), ASK);
    expect([JSON.parse(stdout.toString()).result, status]).toEqual([{ auth: TOKEN }, 0]);
  });

  it('stays without it when it is updated', async () => {
    const { command, args } = verify('--secrets-from-env', 'ANSWERS_TOKEN', '--update');
    const drifted = args.map((arg) => arg).concat('2000');
    await run(withToken({ command, args: drifted }));
    expect(readFileSync(file, 'utf8')).toMatch(/x{2000}/);
    expect(readFileSync(file, 'utf8')).not.toContain(TOKEN);
  });
});

describe('a placeholder whose name no shell can export', () => {
  const found = join(temporaryFolder(), 'found.yaml');
  const GITHUB = 'ghp_1a2B3c4D5e6F7g8H9i0J1k2L3m4N5o6P7q8R';
  const ask = ASK.replace(TOKEN, GITHUB).replace('auth', 'use');
  const verified = (names: string, env = {}) =>
    run({ ...mcpRecord('verify', '--secrets-from-env', names, found, '--', node, ...server), env });

  it('has the name of a variable in the advice', async () => {
    await run(recorder(found, fixture('answers.js')), ask);
    expect(readFileSync(found, 'utf8')).toContain('[redacted:github-token:1]');
    const { stderr, status } = await run(mcpRecord('verify', found, '--', node, ...server));
    expect([stderr, status]).toEqual([
      expect.stringMatching(
        /github-token; line \d+ needs it\. \[SECRETS_MISSING\]\s+Set variables of these names \(for github-token: GITHUB_TOKEN\), and add --secrets-from-env GITHUB_TOKEN\./,
      ),
      2,
    ]);
    const unset = await verified('GITHUB_TOKEN');
    expect([unset.stderr, unset.status]).toEqual([expect.stringContaining('have no value: github-token'), 2]);
  });

  it.each([
    ['GITHUB_TOKEN', { GITHUB_TOKEN: GITHUB }],
    ['github_token', { github_token: GITHUB }],
    ['github-token', { GITHUB_TOKEN: GITHUB }],
  ])('is verified with %s', async (name, env) => {
    expect(await verified(name, env)).toMatchObject({ status: 0 });
  });
});

describe('a text with a secret that is given, and one of the server that is not', () => {
  const both = join(temporaryFolder(), 'both.yaml');
  const OTHER = 'w8Jc51yNbQ2sKd76';
  /** Answers with the token of the request, or with `token`, beside a secret of its own. */
  const answering = (token = 'params.auth'): Command => {
    const result = `{ text: ${token} + ' and DB_PASSWORD=' + process.env.DB_PASSWORD }`;
    const answer = `const { id, params } = JSON.parse(line); console.log(JSON.stringify({ jsonrpc: '2.0', id, result: ${result} }))`;
    const script = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => { ${answer} })`;
    return { command: node, args: ['-e', script] };
  };
  const verified = ({ command, args }: Command, password = OTHER) =>
    run({
      ...mcpRecord('verify', '--secrets-from-env', 'ANSWERS_TOKEN', both, '--', command, ...args),
      env: { ANSWERS_TOKEN: TOKEN, DB_PASSWORD: password },
    });

  it('is recorded with two placeholders', async () => {
    const env = { ANSWERS_TOKEN: TOKEN, DB_PASSWORD: OTHER };
    await run({ ...recorder(both, answering()), env }, ASK);
    expect(readFileSync(both, 'utf8')).toMatch(
      /\[redacted:ANSWERS_TOKEN:1\] and DB_PASSWORD=\[redacted:DB_PASSWORD:1\]/,
    );
  });

  it('equals the same text, with any secret of the server', async () => {
    expect(await verified(answering())).toMatchObject({ status: 0 });
    expect(await verified(answering(), 'another-Q3sKd76w8Jc5')).toMatchObject({ status: 0 });
  });

  it('is not verified if the variable of the server is named, and not set', async () => {
    const { command, args } = answering();
    const names = ['--secrets-from-env', 'ANSWERS_TOKEN,DB_PASSWORD'];
    const verify = mcpRecord('verify', ...names, both, '--', command, ...args);
    const { stderr, status } = await run({ ...verify, env: { ANSWERS_TOKEN: TOKEN } });
    expect([stderr, status]).toEqual([
      expect.stringMatching(/have no value: DB_PASSWORD; line \d+ needs it\. \[SECRETS_MISSING\]/),
      2,
    ]);
  });

  it('names the variable where it has another value, which is too short for a secret', async () => {
    const { stdout, status } = await verified(answering(), 'test');
    expect([`${stdout}`, status]).toEqual([expect.stringContaining('--secrets-from-env DB_PASSWORD'), 1]);
  });

  it('differs where the given secret is another one, without showing either', async () => {
    const { stdout, stderr, status } = await verified(answering("'k4Xw81tBnH6mQs90'"));
    expect(status).toBe(1);
    expect(`${stdout}${stderr}`).not.toContain(TOKEN);
    expect(`${stdout}${stderr}`).not.toContain(OTHER);
  });
});

describe('a session with customers that a rule redacted, and a credential that no variable has', () => {
  const folder = temporaryFolder();
  const [rules, customers] = [join(folder, 'rules.yaml'), join(folder, 'customers.yaml')];
  writeFileSync(rules, 'redact:\n- pattern: CUST-\\d+\n  name: customer\n');
  const OPENED = `{ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'crm', version: '1' } }`;
  const BALANCE = `const { id, method, params } = JSON.parse(line);
if (method === 'initialize') return console.log(JSON.stringify({ jsonrpc: '2.0', id, result: ${OPENED} }));
if (id === undefined) return;
const { customer } = params.arguments;
const auth = Buffer.from((process.env.WRONG_AUTH ?? customer) + ':longer-Secret-7x').toString('base64');
console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'of ' + (process.env.WRONG ?? customer) }], auth } }));`;
  const script = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => { ${BALANCE} })`;
  const asked = (id: number, customer: string) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'balance', arguments: { customer } } })}\n`;
  const given = ['--redact-rules', rules, '--secrets-from-env', 'customer,customer_2'];
  const env = { customer: 'CUST-1001', customer_2: 'CUST-2002' };
  const verified = (file: string, more = {}, options = given) =>
    run({ ...mcpRecord('verify', ...options, file, '--', node, '-e', script), env: { ...env, ...more } });
  /** The second call alone. */
  const cut = join(folder, 'cut.yaml');

  it('is recorded, and cut', async () => {
    const record = mcpRecord('record', '--redact-rules', rules, '-o', customers, '--', node, '-e', script);
    await run(record, asked(1, 'CUST-1001') + asked(2, 'CUST-2002'));
    const text = readFileSync(customers, 'utf8');
    expect(text).toMatch(/auth: "?\[redacted:auth:2\]/);
    const events = text.split(/^(?=- )/m).slice(1);
    const second = events.filter((event) => event.includes(':2]'));
    writeFileSync(cut, ['format: mcp-record/1\nevents:\n', ...second].join(''));
  });

  it('passes with a note on the credential: any value passes there', async () => {
    const { stdout, status } = await verified(customers);
    expect([`${stdout}`, status]).toEqual([
      expect.stringMatching(
        /note: \[redacted:auth:1\], \[redacted:auth:2\] were not compared with values.*--secrets-from-env: auth,auth_2\./,
      ),
      0,
    ]);
  });

  it('fails with another credential if its value is given, and then has no note', async () => {
    const [auth, auth_2] = ['CUST-1001', 'CUST-2002'].map((one) =>
      Buffer.from(`${one}:longer-Secret-7x`).toString('base64'),
    );
    const names = [...given.slice(0, -1), 'customer,customer_2,auth,auth_2'];
    const right = await verified(customers, { auth, auth_2 }, names);
    expect([`${right.stdout}`, right.status]).toEqual([expect.not.stringContaining('not compared with'), 0]);
    const wrong = await verified(customers, { auth, auth_2, WRONG_AUTH: 'CUST-7777' }, names);
    expect([`${wrong.stdout}`, wrong.status]).toEqual([expect.stringContaining('2 failed'), 1]);
  });

  it('names the placeholders of the file in a failure, and gives no hint at --propose-ignores', async () => {
    const { stdout, status } = await verified(cut, { WRONG: 'CUST-9999' });
    expect(status).toBe(1);
    expect(`${stdout}`).toContain('"of [redacted:customer:2]" → "of [redacted:customer:3]"');
    expect(`${stdout}`).not.toContain('[redacted:customer:1]');
    expect(`${stdout}`).not.toContain('--propose-ignores');
  });

  it('is replayed with the names that verify takes: the credential stays a placeholder', async () => {
    const { stdout, stderr, status } = await run(
      { ...mcpRecord('replay', ...given, customers), env },
      asked(1, 'CUST-2002'),
    );
    expect([JSON.parse(`${stdout}`).result, status]).toEqual([
      { content: [{ type: 'text', text: 'of CUST-2002' }], auth: '[redacted:auth:2]' },
      0,
    ]);
    expect(stderr).not.toContain('give the values');
  });

  it('is replayed without values by the first use, and replay says so once', async () => {
    const replay = mcpRecord('replay', '--redact-rules', rules, customers);
    const { stdout, stderr } = await run(replay, asked(1, 'CUST-2002') + asked(2, 'CUST-1001'));
    expect(`${stdout}`).toContain('of [redacted:customer:1]');
    expect(stderr.match(/give the values to check which is which/g)).toHaveLength(1);
  });
});
