import { readFileSync } from 'node:fs';
import { DEFAULT_INHERITED_ENV_VARS } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it } from 'vitest';
import { hasClientVariablesOnly } from '../../../src/cli/io/client-environment.ts';
import { headersFrom } from '../../../src/cli/options/header-options.ts';
import { isCredentialVariable } from '../../../src/redact/detect/credential-names.ts';
import { freeNames, temporaryFolder } from '../../support/cassette.ts';
import { clientSays, recorderIn } from './client-of-sdk.ts';

const folder = temporaryFolder();
const newFile = freeNames(folder);
const recorded = recorderIn(folder);

describe('the environment of a process', () => {
  const posix = { HOME: '/u', PATH: '/bin', TERM: 'xterm', USER: 'ada' };
  const windows = { Path: 'C:\\', SystemRoot: 'C:\\Windows', 'ProgramFiles(x86)': 'C:\\P' };

  it.each([
    [posix, 'linux', true],
    [{ ...posix, npm_config_yes: '', PWD: '/', _: '/bin/sh', INIT_CWD: '/' }, 'darwin', true],
    [{ ...posix, API_TOKEN: 'x' }, 'linux', false],
    [{ ...posix, MCP_RECORD_REDACT_RULES: 'x' }, 'linux', false],
    [windows, 'win32', true],
    [windows, 'linux', false],
    [{ ...windows, ComputerName: 'x' }, 'win32', false],
  ] as const)('%j on %s is what a client passes on: %s', (env, platform, expected) => {
    expect(hasClientVariablesOnly({ env, platform })).toBe(expected);
  });

  it('counts all that the official SDK passes on', () => {
    const env = Object.fromEntries(DEFAULT_INHERITED_ENV_VARS.map((name) => [name, 'x']));
    expect(hasClientVariablesOnly({ env, platform: process.platform })).toBe(true);
  });
});

describe('a recorder that a client of the SDK starts', () => {
  const note =
    /note: the client passes on PATH, HOME and the like alone, .*redact --check (.+\.yaml) \(.*CRM_TOKEN, not CRM_SESSION\)\. .*--redact-rules FILE/;

  it('says that it redacted nothing, and that exported rules did not reach it', async () => {
    const file = newFile();
    const said = await clientSays({ command: recorded(file) });
    expect(readFileSync(file, 'utf8')).toContain('CUST-2024-118833');
    expect(said).toContain(`mcp-record: nothing redacted → ${file}\n`);
    expect(note.exec(said)?.[1]).toBe(file);
  });
});

it('a header of a variable that the client did not pass on has the same advice', () => {
  const header = ['X: env:NOBODY'];
  expect(() => headersFrom(header, { PATH: '/bin' })).toThrow(/is not set.*env: \{ NOBODY: process\.env\.NOBODY \}/s);
  expect(() => headersFrom(header, { PATH: '/bin', OTHER: 'x' })).not.toThrow(/your shell exports/);
});

it('the note of a recorder has the name of a credential, and one that is none', () => {
  expect(['CRM_TOKEN', 'CRM_SESSION'].map(isCredentialVariable)).toEqual([true, false]);
});
