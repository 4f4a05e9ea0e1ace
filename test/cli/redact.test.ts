import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/cassette.ts';
import { mcpRecord } from '../support/command.ts';
import { itOnPosix } from '../support/on-posix.ts';
import { fixture, recorder, run } from '../support/process.ts';

const folder = temporaryFolder();
const SECRET = 'zebra-92-lamp';
const TAPE = `format: mcp-record/1
transport: stdio
events:
# by hand
- client: { id: 1, method: x, params: { password: ${SECRET}, employee: E-1234567 } }
`;
const SAFE = TAPE.replace(SECRET, '"[redacted:password:1]"');
const cassette = (name: string, text = TAPE) => {
  const file = join(folder, name);
  writeFileSync(file, text, { mode: 0o644 });
  return file;
};

async function redact(...args: string[]) {
  const { stdout, stderr, status } = await run(mcpRecord('redact', ...args));
  expect(stdout.toString() + stderr).not.toContain(SECRET);
  return { stdout: stdout.toString(), stderr, status };
}

interface SarifResult {
  ruleId: string;
  level: string;
  message: { text: string };
  locations: [{ physicalLocation: { region: { startLine: number } } }];
}

describe('redact --check of a scenario, which is sent with its cassette', () => {
  const scenario = (more: string) =>
    cassette('scenario.yaml', `cassette: a.yaml\nplay: server\n${more}expect:\n- exit: 0\n`);
  const patch = (value: string) =>
    `faults:\n- do: patch\n  patch: [{ op: replace, path: /result/x, value: ${value} }]\n`;

  it('is green without a secret, and counts the file', async () => {
    const files = [cassette('safe.yaml', SAFE), scenario(patch('1'))];
    expect(await redact('--check', ...files)).toEqual({
      stdout: 'nothing to redact in 2 files\n',
      stderr: '',
      status: 0,
    });
  });

  it.each([
    ['in a comment', `# password=${SECRET}\n`, 3, 'password'],
    ['under a key', patch(`{ password: ${SECRET} }`), 5, 'password'],
    ['of a rule', patch('E-7654321'), 5, 'employee'],
  ])('is red with one %s', async (_, more, line, kind) => {
    const file = scenario(more);
    writeFileSync(join(folder, 'own.yaml'), 'redact:\n- pattern: E-\\d+\n  name: employee\n');
    const { stdout, status } = await redact('--check', '--redact-rules', join(folder, 'own.yaml'), file);
    expect([status, stdout]).toEqual([1, expect.stringContaining(`${file}:${line} ${kind}`)]);
  });

  it('searches nothing that is neither a scenario nor a cassette', async () => {
    const { stderr, status } = await redact('--check', cassette('neither.yaml', 'play: server\nexpect: []\n'));
    expect([status, stderr]).toEqual([2, expect.stringContaining('CASSETTE_NOT_RECOGNIZED')]);
  });
});

describe('redact', () => {
  it('counts values and places as record does, and reports a rule that finds nothing', async () => {
    const file = cassette('twice.yaml', `${TAPE}- server: { id: 1, result: { password: ${SECRET} } }\n`);
    const other = cassette('other.yaml', TAPE.replace(SECRET, 'none'));
    const typo = ['--redact-pattern', 'E-\\d+', '--redact-pattern', 'F-\\d+'];
    const check = await redact('--check', ...typo, file, other);
    expect(check.stdout).toContain('\n\n3 values to redact in 4 places, in 2 of 2 files\n');
    expect(check.stdout).toMatch(
      /2 of 2 files\nhint: nothing in any of these 2 files matches your rule pattern: F-\\d\+, and no placeholder has its name\. That is no problem/,
    );
    expect(check.stderr).toBe('');
    const done = await redact('--redact-pattern', 'E-\\d+', file, other);
    expect(done.stdout).toContain('\n\n3 values redacted in 4 places, in 2 of 2 files\n');
    expect(await redact('--check', '--redact-pattern', 'E-\\d+', file, other)).toMatchObject({
      stdout: 'nothing to redact in 2 files\n',
      stderr: '',
      status: 0,
    });
  });

  it('warns while it records, if a rule matches an id', async () => {
    const file = join(folder, 'recorded-id.yaml');
    const message = { jsonrpc: '2.0', id: 'E-1234567', method: 'x', params: {} };
    const { stderr } = await run(
      recorder(file, fixture('answers.js'), '--redact-pattern', 'E-\\d+'),
      `${JSON.stringify(message)}\n`,
    );
    expect(stderr).toMatch(/"pattern" matches \/id \(and 1 more such value\).*\[SECRETS_NOT_REDACTED\]\n {2}at .*:8\n/);
    expect(readFileSync(file, 'utf8')).toContain('id: "E-1234567"');
  });

  it('reports a match that must stay, in a check and in a warning', async () => {
    const text = TAPE.replace(SECRET, 'none').replace('id: 1', 'id: E-1234567');
    const file = cassette('stays.yaml', text);
    const rule = ['--redact-pattern', 'E-\\d+'];
    const check = await redact('--check', ...rule, file);
    expect(check.stdout).toContain(`${file}:5 pattern at /id, which stays\n`);
    expect(check.status).toBe(1);
    const { stderr } = await redact(...rule, file);
    expect(stderr).toContain('[SECRETS_NOT_REDACTED]');
    // The header lists the rule, on a line more.
    expect(stderr).toContain(`at ${file}:6`);
    expect(readFileSync(file, 'utf8').split('\n')[5]).toContain('id: E-1234567');
    expect(await redact('--check', ...rule, file)).toMatchObject({ status: 1 });
  });

  it('takes secrets out of a file, and nothing else', async () => {
    const file = cassette('one.yaml');
    const { stdout, status } = await redact(file);
    expect([stdout, status]).toEqual([`${file}:5 password redacted\n\n1 value redacted in 1 of 1 file\n`, 0]);
    expect(readFileSync(file, 'utf8')).toBe(SAFE);
  });

  itOnPosix('file modes', 'keeps the mode of a file, and writes a new one for its owner only', async () => {
    const [file, out] = [cassette('moded.yaml'), join(folder, 'owned.yaml')];
    await redact(file, '-o', out);
    await redact(file);
    expect([file, out].map((path) => statSync(path).mode & 0o777)).toEqual([0o644, 0o600]);
  });

  it('checks without writing, says file, line and kind, and exits with 1', async () => {
    const [file, safe] = [cassette('check.yaml'), cassette('safe.yaml', SAFE)];
    const { stdout, status } = await redact('--check', safe, file);
    expect([stdout, status]).toEqual([`${file}:5 password\n\n1 value to redact in 1 of 2 files\n`, 1]);
    expect(readFileSync(file, 'utf8')).toBe(TAPE);
    expect(await redact('--check', safe)).toMatchObject({ stdout: 'nothing to redact in 1 file\n', status: 0 });
  });

  it.each<[encoding: BufferEncoding]>([['base64'], ['base64url'], ['hex']])(
    'finds and takes out a secret among other things in %s, and nowhere else',
    async (encoding) => {
      const encoded = Buffer.from(`the password=${SECRET} of ann`).toString(encoding);
      const file = cassette(`${encoding}.yaml`, TAPE.replace(SECRET, 'none').replace('E-1234567', encoded));
      expect(await redact('--check', file)).toMatchObject({
        stdout: expect.stringContaining(':5 password\n'),
        status: 1,
      });
      expect(await redact(file)).toMatchObject({ status: 0 });
      const [, left] = /employee: "?([^" ]+)/.exec(readFileSync(file, 'utf8'))!;
      expect(Buffer.from(left!, encoding).toString()).toBe('the password=[redacted:password:1] of ann');
      expect(await redact('--check', file)).toMatchObject({ status: 0 });
    },
  );

  it('checks a folder with its folders, and a pattern that no shell has expanded', async () => {
    const tree = join(folder, 'tree');
    mkdirSync(join(tree, 'deep'), { recursive: true });
    copyFileSync(cassette('deep-one.yaml'), join(tree, 'deep', 'one.yaml'));
    for (const named of [tree, join(tree, '**'), join(tree, '**', '*.yaml')]) {
      const { stdout, status } = await redact('--check', named);
      expect([stdout, status]).toEqual([expect.stringContaining(`${join(tree, 'deep', 'one.yaml')}:`), 1]);
    }
  });

  it('says it as JSON', async () => {
    const file = cassette('json.yaml');
    const { stdout } = await redact('--check', '--json', file);
    expect(JSON.parse(stdout)).toEqual([{ file, secrets: [{ line: 5, kind: 'password' }] }]);
  });

  describe('as JUnit', () => {
    const xml = join(folder, 'redact.xml');
    const junit = async (...args: string[]) => {
      const { status, stderr } = await redact('--check', '--junit', xml, ...args);
      const text = readFileSync(xml, 'utf8');
      expect(text).not.toContain(SECRET);
      return { status, stderr, text };
    };

    it('fails a file that has secrets, by line and kind, and passes a clean one', async () => {
      const [safe, file] = [cassette('clean-case.yaml', SAFE), cassette('secret-case.yaml')];
      const { status, text } = await junit('--redact-pattern', 'E-\\d+', file);
      expect(status).toBe(1);
      expect(text).toContain(`<testsuite name="redact ${file}" tests="1" failures="1" errors="0" skipped="0"`);
      expect(text).toContain(
        `<testcase classname="${file}" name="redact" time="0.000"><failure message="${file}:5 password (and 1 more value)">${file}:5 password\n${file}:5 pattern</failure></testcase>`,
      );
      const both = await junit(safe, file);
      expect(both.text).toContain('<testsuite name="redact 2 files" tests="2" failures="1" errors="0" skipped="0"');
      expect(both.text).toContain(`<testcase classname="${safe}" name="redact" time="0.000"/>`);
      expect(both.text).toContain(`<failure message="${file}:5 password">`);
      const clean = await junit(safe);
      expect([clean.status, clean.text]).toEqual([0, expect.stringContaining('tests="1" failures="0" errors="0"')]);
    });

    it('has each secret at its line in SARIF, and nothing of a clean file', async () => {
      const [safe, file] = [cassette('clean-sarif.yaml', SAFE), cassette('secret-sarif.yaml')];
      const path = join(folder, 'redact.sarif');
      const runOf = async (...files: string[]) => {
        const { status } = await redact('--check', '--sarif', path, ...files);
        const text = readFileSync(path, 'utf8');
        expect(text).not.toContain(SECRET);
        const [{ results, invocations }] = JSON.parse(text).runs;
        const places = results.map((one: SarifResult) => [
          one.ruleId,
          one.level,
          one.message.text.split('\n')[0],
          one.locations[0].physicalLocation.region.startLine,
        ]);
        return { status, places, invocations };
      };
      const secret = ['secret', 'error', 'redact: It contains a secret: password', 5];
      expect(await runOf(safe, file)).toEqual({ status: 1, places: [secret], invocations: undefined });
      expect(await runOf(safe)).toEqual({ status: 0, places: [], invocations: undefined });
      const broken = await runOf(file, join(folder, 'none.yaml'));
      expect(broken).toMatchObject({ status: 2, invocations: [{ executionSuccessful: false }] });
      expect(broken.places).toEqual([secret, ['CASSETTE_NOT_FOUND', 'error', expect.stringContaining('none.yaml'), 1]]);
    });

    it('fails a file for what must stay', async () => {
      const file = cassette('stays-case.yaml', SAFE.replace('id: 1', 'id: E-7654321').replace('E-1234567', 'none'));
      const { status, text } = await junit('--redact-pattern', 'E-\\d+', file);
      expect(status).toBe(1);
      expect(text).toContain(`<failure message="${file}:5 pattern at /id, which stays">`);
      expect(text).not.toContain('E-7654321');
    });

    it('has an error for a file that cannot be read, and looks at the others', async () => {
      const [none, file] = [join(folder, 'none.yaml'), cassette('read-case.yaml')];
      for (const files of [[none], [none, file]]) {
        const { status, text } = await junit(...files);
        expect(status).toBe(2);
        expect(text).toContain(`tests="${files.length}" failures="${files.length - 1}" errors="1" skipped="0"`);
        expect(text).toContain(
          `<testcase classname="${none}" name="redact" time="0.000"><error type="CASSETTE_NOT_FOUND" message=`,
        );
      }
    });

    it('needs --check: without it, a file with secrets does not fail', async () => {
      const file = cassette('unchecked-case.yaml');
      const { stderr, status } = await redact('--junit', xml, file);
      expect([stderr, status]).toEqual([
        expect.stringMatching(
          /Cannot use --junit: it has a meaning only with --check.*\[USAGE_OPTION_WITHOUT_MEANING\]/,
        ),
        2,
      ]);
      expect(stderr).toContain('Add --check, or leave --junit out.');
      expect(readFileSync(xml, 'utf8')).toContain('<error type="USAGE_OPTION_WITHOUT_MEANING"');
      expect(readFileSync(file, 'utf8')).toBe(TAPE);
    });
  });

  it('writes elsewhere when told', async () => {
    const [file, out] = [cassette('from.yaml'), join(folder, 'to.yaml')];
    expect(await redact(file, '-o', out)).toMatchObject({ status: 0 });
    expect([readFileSync(file, 'utf8'), readFileSync(out, 'utf8')]).toEqual([TAPE, SAFE]);
    expect(await redact(file, file, '-o', out)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('[USAGE_ONE_OUTPUT]'),
    });
  });

  it('says first that a clean file has nothing to redact, and hints at a rule that matches nothing', async () => {
    const [safe, file] = [cassette('clean.yaml', SAFE), cassette('unclean.yaml')];
    const typo = ['--check', '--redact-pattern', 'F-\\d+'];
    const clean = await redact(...typo, safe);
    expect(clean.stdout).toMatch(/^nothing to redact in 1 file\nhint: nothing in this file matches your rule/);
    expect([clean.stderr, clean.status]).toEqual(['', 0]);
    expect(clean.stdout).toContain('A value that was redacted before the rule has another name, such as password.\n');
    const plain = await redact(...typo, cassette('plain.yaml', SAFE.replaceAll(/\[redacted:\w+:\d\]/g, 'none')));
    expect(plain.stdout).toMatch(/check its spelling\.\n$/);
    const rules = cassette('rules.yaml', "redact:\n- { pattern: 'F-\\d+', name: password }\n");
    // What the rule matched has been redacted.
    const redacted = await redact('--check', '--redact-rules', rules, safe);
    expect(redacted.stdout).toBe('nothing to redact in 1 file\n');
    const employee = cassette('employee.yaml', SAFE.replace('E-1234567', '"[redacted:employee:1]"'));
    const other = await redact('--check', '--redact-key', 'EMPLOYEE', employee);
    expect(other.stdout).toBe('nothing to redact in 1 file\n');
    const json = await redact(...typo, '--json', safe);
    expect(JSON.parse(json.stdout)).toEqual([{ file: safe, secrets: [] }]);
    expect(json.stderr).toContain('hint: ');
    // The rule may match in the file that cannot be read.
    const missing = await redact(...typo, join(folder, 'none.yaml'), safe);
    expect(missing.stdout).toBe('nothing to redact in 1 file, 1 with an error\n');
    expect((await redact('--check', '--redact-pattern', 'E-\\d+', safe, file)).stdout).not.toContain('hint');
  });

  it('fails without the rules that the header lists, whichever variables are set', async () => {
    const rule = ['--redact-rules', cassette('acme-rule.yaml', "redact:\n- { pattern: 'E-\\d+', name: ACME_TOKEN }\n")];
    const file = cassette('listed.yaml', TAPE);
    expect((await redact(...rule, file)).status).toBe(0);
    expect(readFileSync(file, 'utf8')).toContain('format: mcp-record/1\nredactRules: ["ACME_TOKEN"]\ntransport: stdio');
    expect(await redact('--check', ...rule, file)).toMatchObject({
      status: 0,
      stdout: 'nothing to redact in 1 file\n',
    });
    const leaking = cassette(
      'leaking.yaml',
      `${readFileSync(file, 'utf8')}- server: { id: 1, result: { is: E-7654321 } }\n`,
    );
    for (const env of [{}, { ACME_TOKEN: 'E-1234567' }]) {
      const { stdout, stderr, status } = await run({ ...mcpRecord('redact', '--check', leaking), env });
      // The error says what to give: no hint repeats it.
      expect(stdout.toString()).not.toContain('hint');
      expect({ stderr, status }).toMatchObject({ stderr: expect.stringContaining('[USAGE_RULES_MISSING]'), status: 2 });
    }
    expect((await redact('--check', ...rule, leaking)).status).toBe(1);
  });

  it('hints at a variable whose value is too short to be looked for, unless a rule finds it', async () => {
    const safe = cassette('short.yaml', SAFE);
    const checked = async (env: Record<string, string>, ...options: string[]) =>
      (await run({ ...mcpRecord('redact', '--check', ...options, safe), env })).stdout.toString();
    const hint = /^hint: The value of DB_PASSWORD is not looked for: shorter than 8 characters/m;
    expect(await checked({ DB_PASSWORD: 'hunter2' })).toMatch(hint);
    expect(await checked({ DB_PASSWORD: 'aaaaaaaab' })).toMatch(hint);
    expect(await checked({ DB_PASSWORD: 'hunter2' }, '--redact-pattern', 'hunter\\d')).not.toMatch(hint);
    for (const value of ['correct-horse-7', '', 'changeme', '/run/secrets/db'])
      expect(await checked({ DB_PASSWORD: value })).not.toContain('not looked for');
  });

  it('hints at each variable without a value here, except those that a given rule finds', async () => {
    const names = ['ACME_TOKEN', 'BETA_TOKEN'].map((name) => `${name}: "[redacted:${name}:1]"`);
    const file = cassette('unset.yaml', SAFE.replace('password: "[redacted:password:1]"', names.join(', ')));
    const checked = async (env: Record<string, string>, ...options: string[]) => {
      const { stdout, status } = await run({ ...mcpRecord('redact', '--check', ...options, file), env });
      expect(status).toBe(0);
      return /^hint: The variables? (.+), after which these files name placeholders/m.exec(stdout.toString())?.[1];
    };
    const rules = cassette('beta.yaml', "redact:\n- { pattern: 'beta-\\d+', name: BETA_TOKEN }\n");
    expect(await checked({})).toBe('ACME_TOKEN, BETA_TOKEN');
    expect(await checked({}, '--redact-key', 'employee_id')).toBe('ACME_TOKEN, BETA_TOKEN');
    expect(await checked({}, '--redact-allow', 'changeme')).toBe('ACME_TOKEN, BETA_TOKEN');
    expect(await checked({}, '--redact-rules', rules)).toBe('ACME_TOKEN');
    expect(await checked({ MCP_RECORD_REDACT_RULES: rules })).toBe('ACME_TOKEN');
    expect(await checked({ ACME_TOKEN: 'correct-horse-7' }, '--redact-rules', rules)).toBeUndefined();
    expect(await checked({ ACME_TOKEN: 'correct-horse-7' }, '--redact-key', 'employee_id')).toBe('BETA_TOKEN');
    expect(await checked({}, '--redact-rules', rules, '--redact-key', 'acme_token')).toBeUndefined();
  });

  it('fails where placeholders have the names of rules that were not given', async () => {
    const named = SAFE.replace(/\[redacted:[\w.-]+:1\]/, '[redacted:customer:1] [redacted:iban:1]');
    expect(named).not.toBe(SAFE);
    const file = cassette('of-rules.yaml', `${named}# CUST-12345678\n`);
    const rules = cassette('own.yaml', "redact:\n- { pattern: 'CUST-(\\d{9})', name: customer }\n- { key: IBAN }\n");
    const checked = async (env: Record<string, string>, ...options: string[]) => {
      const { stdout, stderr, status } = await run({ ...mcpRecord('redact', '--check', ...options, file), env });
      return { stdout: stdout.toString(), stderr: stderr.toString(), status };
    };
    const blind = await checked({});
    expect(blind.status).toBe(2);
    expect(blind.stdout).toBe('nothing to redact in 0 files, 1 with an error\n');
    expect(blind.stderr).toMatch(/rules of the name customer, iban wrote placeholders.*\[USAGE_RULES_MISSING\]/);
    expect(blind.stderr).toContain('--redact-rules FILE, or the variable MCP_RECORD_REDACT_RULES');
    const ways = [...blind.stderr.matchAll(/--redact-allow '([^']+)'/g)].map(([, way]) => way!);
    expect(ways).toHaveLength(2);
    const given = ['--redact-rules', rules];
    expect((await checked({}, ...given)).status).toBe(0);
    expect((await checked({ MCP_RECORD_REDACT_RULES: rules })).status).toBe(0);
    // Another name is no rule of this one, and neither is a variable.
    expect((await checked({ customer: 'y' }, '--redact-key', 'iban')).stderr).toContain('a rule of the name customer ');
    expect((await checked({}, '--redact-key', 'iban', '--redact-allow', ways[0]!)).status).toBe(0);
    expect((await checked({}, ...ways.flatMap((way) => ['--redact-allow', way]))).status).toBe(0);
    // A variable has one value, and the rule finds a form.
    expect((await checked({ customer: 'CUST-12345678' }, '--redact-key', 'iban')).status).toBe(2);
  });

  it('reports a file whose rules are missing, beside what it finds there', async () => {
    const named = SAFE.replace(/\[redacted:[\w.-]+:1\]/, '[redacted:customer:1]');
    const files = [cassette('blind-1.yaml', named), cassette('blind-2.yaml', `${named}# password=correct-horse-7\n`)];
    const [xml, log] = [join(folder, 'blind.xml'), join(folder, 'blind.sarif')];
    const { stdout, stderr, status } = await redact('--check', '--json', '--junit', xml, '--sarif', log, ...files);
    expect(status).toBe(2);
    expect(stderr).toContain('Cannot check 2 files for secrets');
    expect(JSON.parse(stdout)).toEqual([
      { file: files[1], secrets: [expect.objectContaining({ kind: 'password' })] },
      ...files.map((file) => ({ file, error: expect.objectContaining({ code: 'USAGE_RULES_MISSING' }) })),
    ]);
    expect(readFileSync(xml, 'utf8').match(/<error/g)).toHaveLength(2);
    expect(readFileSync(log, 'utf8').match(/USAGE_RULES_MISSING/g)?.length).toBeGreaterThanOrEqual(2);
  });

  it('looks at all files, though one of them is none', async () => {
    const file = cassette('last.yaml');
    const { stdout, stderr, status } = await redact('--check', join(folder, 'none.yaml'), file);
    expect([stderr, status]).toEqual([expect.stringContaining('[CASSETTE_NOT_FOUND]'), 2]);
    expect(stdout).toContain(`${file}:5 password`);
  });

  it('takes rules from options and from a file', async () => {
    const rules = cassette('rules.yaml', 'redact:\n  - pattern: E-\\d+\n    name: employee\n');
    const check = async (...options: string[]) =>
      (await redact('--check', '--json', ...options, cassette('ruled.yaml'))).stdout;
    const kinds = async (...options: string[]) =>
      JSON.parse(await check(...options))[0].secrets.map(({ kind }: never) => kind);
    expect(await kinds('--redact-rules', rules)).toEqual(['password', 'employee']);
    expect(await kinds('--redact-key', 'EMPLOYEE')).toEqual(['password', 'employee']);
    expect(await kinds('--redact-pointer', '/params/employee')).toEqual(['password', 'employee']);
    expect(await kinds('--redact-pattern', 'E-(\\d+)')).toEqual(['password', 'pattern']);
    expect(await kinds('--redact-allow', '/^zebra/')).toEqual([]);
  });

  it('takes the rules of the project, which convert to another format leaves alone', async () => {
    const rules = cassette('project.yaml', 'redact:\n  - pattern: E-\\d+\n    name: employee\n');
    const file = cassette('in-project.yaml');
    const inProject = async (variable: string, ...args: string[]) => {
      const { stdout, stderr, status } = await run({
        ...mcpRecord(...args),
        env: { MCP_RECORD_REDACT_RULES: variable },
      });
      return { stdout: stdout.toString(), stderr, status };
    };
    const checked = await inProject(rules, 'redact', '--check', file);
    expect(checked).toMatchObject({ stdout: expect.stringContaining(`${file}:5 employee`), status: 1 });
    expect(await inProject(rules, 'convert', file, join(folder, 'in-project.har'))).toMatchObject({ status: 0 });
    expect(await inProject(join(folder, 'none.yaml'), 'redact', '--check', file)).toMatchObject({
      stderr: expect.stringMatching(/which MCP_RECORD_REDACT_RULES names: [\s\S]*\[USAGE_RULES_UNREADABLE\]/),
      status: 2,
    });
  });

  it('shows where a file of rules is wrong', async () => {
    const rules = cassette('wrong.yaml', 'redact:\n  - kye: a\n');
    const { stderr, status } = await redact('--redact-rules', rules, cassette('any.yaml'));
    expect([stderr, status]).toEqual([expect.stringMatching(/Did you mean "key"|wrong\.yaml:2/), 2]);
    expect((await redact('--redact-rules', join(folder, 'no.yaml'), rules)).stderr).toContain(
      '[USAGE_RULES_UNREADABLE]',
    );
  });
});

describe('record', () => {
  it('keeps to the rules of its options', async () => {
    const file = join(folder, 'recorded.yaml');
    const ask = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'a', params: { employee: 'E-1234567' } })}\n`;
    await run(recorder(file, fixture('answers.js'), '--redact-pattern', 'E-\\d+'), ask);
    expect(readFileSync(file, 'utf8')).toContain('employee: "[redacted:pattern:1]"');
    const copy = join(folder, 'copy.yaml');
    copyFileSync(file, copy);
    expect(await redact('--check', '--redact-pattern', 'E-\\d+', copy)).toMatchObject({ status: 0 });
  });

  it('keeps nothing of the command line of the server', async () => {
    const file = join(folder, 'command.yaml');
    const { command, args } = fixture('answers.js', `--token=${SECRET}`, '--api-key', SECRET, `API_KEY=${SECRET}`);
    const ask = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'a' })}\n`;
    const { stderr } = await run(recorder(file, { command, args }), ask);
    expect(readFileSync(file, 'utf8') + stderr).not.toContain(SECRET);
  });

  it('starts no server with a rule that it cannot use', async () => {
    const file = join(folder, 'never.yaml');
    const { stderr, status } = await run(recorder(file, fixture('answers.js'), '--redact-pattern', '(?<=a)b'));
    expect([stderr, status]).toEqual([expect.stringContaining('[USAGE_BAD_RULE]'), 2]);
  });
});

describe('replay', () => {
  it('takes what its rules redact for the placeholder in the cassette', async () => {
    const file = join(folder, 'replayed.yaml');
    const ask = (employee: string) =>
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'a', params: { employee } })}\n`;
    const rule = ['--redact-pattern', 'E-\\d+'];
    await run(recorder(file, fixture('answers.js'), ...rule), ask('E-1234567'));
    const { stdout, status } = await run(mcpRecord('replay', ...rule, file), ask('E-7654321'));
    expect([JSON.parse(stdout.toString()).result, status]).toEqual([{ employee: '[redacted:pattern:1]' }, 0]);
    expect((await run(mcpRecord('replay', file), ask('E-7654321'))).status).toBe(1);
  });
});

describe('verify', () => {
  it('writes by the rules of its options what it updates', async () => {
    const call = '- client: { id: 1, method: a, params: { employee: E-1234567 } }\n';
    const file = cassette(
      'updated.yaml',
      `${TAPE.slice(0, TAPE.indexOf('#'))}${call}- server: { id: 1, result: {} }\n`,
    );
    const { command, args } = fixture('answers.js');
    await run(mcpRecord('verify', '--update', '--redact-pattern', 'E-\\d+', file, '--', command, ...args));
    expect(readFileSync(file, 'utf8')).toContain('result:\n      employee: "[redacted:pattern:1]"');
  });
});

describe('a body that nobody can look into', () => {
  const ZSTD_IN_UNKNOWN = Buffer.from('no text \xff of a coding that is not known', 'latin1').toString('base64');
  const text = `format: mcp-record/1
transport: http
events:
- client: { jsonrpc: "2.0", id: 1, method: ping }
  stream: 1
- response: 200
  stream: 1
  headers:
    content-encoding: dcb
  bodyBytes: "${ZSTD_IN_UNKNOWN}"
`;

  it('is a finding with its line, and is replaced as a whole, once', async () => {
    const file = cassette('compressed.yaml', text);
    const check = await redact('--check', file);
    expect(check.stdout).toContain(`${file}:10 compressed-body\n`);
    expect(check.stdout).toMatch(/hint: compressed-body is .*\[BODY_NOT_SEARCHED\] Record it again/);
    expect(check.status).toBe(1);
    expect(await redact(file)).toMatchObject({ status: 0 });
    const safe = Buffer.from('[redacted:compressed-body:1]').toString('base64');
    expect(readFileSync(file, 'utf8')).toBe(text.replace(ZSTD_IN_UNKNOWN, safe));
    expect(await redact('--check', file)).toMatchObject({ stdout: 'nothing to redact in 1 file\n', status: 0 });
  });
});

describe('files that are no cassettes, in a folder that is named', () => {
  it('are counted in a hint of the check', async () => {
    const own = join(folder, 'mixed');
    for (const name of ['', 'logs', 'node_modules']) mkdirSync(join(own, name), { recursive: true });
    cassette('mixed/a.yaml', SAFE);
    for (const name of ['notes.txt', 'logs/b.log', 'logs/Makefile', 'package.json', 'node_modules/c.txt'])
      writeFileSync(join(own, name), 'password: zebra-92-lamp');
    const check = await redact('--check', own, cassette('alone.yaml', SAFE));
    expect(check.stdout).toContain(
      'nothing to redact in 2 files\nhint: 4 other files (json, log, no ending, txt) were not searched,',
    );
    expect(check.status).toBe(0);
    expect((await redact(own)).stdout).not.toContain('hint');
    expect((await redact('--check', join(own, 'a.yaml'))).stdout).not.toContain('hint');
  });
});
