import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';
import { describeOnPosix } from '../../../support/on-posix.ts';

const folder = temporaryFolder();

function put(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

// git gives a driver to a shell.
describeOnPosix('shell', 'git diff', () => {
  const { command, args } = mcpRecord('show', '--git');
  const quoted = [command, ...args].map((word) => `'${word}'`).join(' ');
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...words], {
      cwd: join(folder, 'repository'),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const session = (id: number, text: string) =>
    `format: mcp-record/1\ntransport: stdio\nevents:\n${[
      `- client:\n    id: ${id}\n    method: tools/call\n    params:\n      name: add`,
      `- server:\n    id: ${id}\n    result:\n      content:\n        - type: text\n          text: ${text}`,
    ].join('\n')}\n`;

  it('shows what cassettes mean, once the driver is set up as docs/diff-git.md says', () => {
    execFileSync('git', ['init', '-q', 'repository'], { cwd: folder });
    git('config', 'diff.mcp-record.textconv', quoted);
    put('repository/.gitattributes', '*.yaml diff=mcp-record\n');
    put('repository/cassette.yaml', session(1, 'two'));
    git('add', '.');
    git('commit', '-qm', 'one');
    put('repository/cassette.yaml', session(2, 'three'));
    expect(git('diff', '--no-color').split('\n').slice(4)).toMatchInlineSnapshot(`
      [
        "@@ -3,4 +3,4 @@",
        " ← result",
        "   content:",
        "     - type: text",
        "-      text: two",
        "+      text: three",
        "",
      ]
    `);
    put('repository/cassette.yaml', session(7, 'two'));
    expect(git('diff', '--no-color')).toBe('');
  });

  it('shows a rule that is refused beside the rest of the session', () => {
    put('repository/cassette.yaml', `${session(1, 'two')}  match: { ignore: ['/.*/'] }\n`);
    expect(
      git('diff', '--no-color')
        .split('\n')
        .filter((line) => /^[+-] /.test(line)),
    ).toEqual([
      '+  # match.ignore: ["/.*/"]',
      expect.stringMatching(/^\+ {2}# match is refused: .* \[CASSETTE_BAD_EVENT\]$/),
    ]);
  });

  it('shows a file that is no cassette as it is', () => {
    put('repository/cassette.yaml', 'name: something else\n');
    expect(git('diff', '--no-color')).toContain('+name: something else');
  });
});
