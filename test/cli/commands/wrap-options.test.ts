import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it } from 'vitest';
import { mcpRecord } from '../../support/command.ts';
import { itOnPosix } from '../../support/on-posix.ts';
import { wrapCommand } from './wrap-command.ts';

const { folder, file, text, wrap } = wrapCommand();

describe('mcp-record wrap', () => {
  it('gives the recorder the rules of redaction, and takes them out again', async () => {
    writeFileSync(file, text);
    writeFileSync(join(folder, 'redaction.yaml'), 'redact:\n  - pattern: "mem\\\\w+"\n    name: kind\n');
    const rules = ['--redact-rules', 'redaction.yaml', '--redact-key', 'title'];
    expect(wrap('mcp.json', '-o', 'ruled', '--local', ...rules).status).toBe(0);
    const wrapped = readFileSync(file, 'utf8');
    expect(wrapped).toContain(
      `"--redact-key=title", ${JSON.stringify(`--redact-rules=${join(realpathSync(folder), 'redaction.yaml')}`)}, "--"`,
    );
    const { mcpServers } = JSON.parse(wrapped.replace(/\/\/.*|,(?=\s*\n\s*\})/g, ''));
    const client = new Client({ name: 'memory-7', version: '1.0.0' });
    await client.connect(new StdioClientTransport(mcpServers['the memory']));
    await client.close();
    const [cassette] = readdirSync(join(folder, 'ruled', 'the-memory'));
    const recorded = readFileSync(join(folder, 'ruled', 'the-memory', cassette!), 'utf8');
    expect(recorded).toContain('redactRules: ["kind", "title"]');
    expect(recorded).toContain('[redacted:kind:1]-7');

    expect(wrap('mcp.json', '--redact-key', 'other').stdout).toContain('already, without these rules');
    expect(wrap('mcp.json', '--redact-key', 'title').stdout).toMatch(/is recorded already\n/);
    expect(wrap('mcp.json', '--undo').status).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(text);
    const missing = wrap('mcp.json', '--redact-rules', 'none.yaml');
    expect([missing.status, readFileSync(file, 'utf8')]).toEqual([2, text]);
  });

  it('names the rules that the shell exports, which a client may not pass on', () => {
    writeFileSync(file, text);
    const { command: node, args: all } = mcpRecord('wrap', 'mcp.json');
    const rules = join('rules', 'redaction.yaml');
    const env = { ...process.env, MCP_RECORD_REDACT_RULES: rules };
    const { stdout } = spawnSync(node, all, { cwd: folder, encoding: 'utf8', env });
    expect(stdout).toContain(`"MCP_RECORD_REDACT_RULES": ${JSON.stringify(join(realpathSync(folder), rules))}`);
    expect(wrap('mcp.json', '--undo').stdout).not.toContain('MCP_RECORD_REDACT_RULES');
  });

  itOnPosix('file modes', 'leaves the mode of a file as it is', () => {
    writeFileSync(file, text);
    chmodSync(file, 0o640);
    for (const words of [['mcp.json'], ['mcp.json', '--undo']]) {
      expect(wrap(...words).status).toBe(0);
      expect(statSync(file).mode & 0o777).toBe(0o640);
    }
  });

  it('shows no secret of a variable where nothing is written, also if a short header is a part of it', () => {
    const servers = {
      far: { url: 'https://far.example/mcp', headers: { Version: 'v', Token: 'val-q9w8e7', More: 'val-q9w8e7-more' } },
      near: { command: 'node', env: { API_KEY: 's3cr3tvalue99' } },
    };
    writeFileSync(file, JSON.stringify({ mcpServers: servers }, undefined, 2));
    const { stdout } = wrap('mcp.json', '--dry-run');
    expect(stdout).toContain('mcp-record');
    expect(stdout).not.toMatch(/s3cr3t|alue99|q9w8e7|-more/);
  });

  it('shows no header of a server, wrapped or unwrapped, where nothing is written', () => {
    const remote =
      '{ "mcpServers": { "far": { "url": "https://far.example/mcp", "headers": { "Authorization": "Bearer \\"t0p-5ecret" } } } }';
    writeFileSync(file, remote);
    expect(wrap('mcp.json', '--dry-run').stdout).toContain('MCP_RECORD_HEADER_1');
    expect(wrap('mcp.json', '--dry-run').stdout).not.toContain('5ecret');
    wrap('mcp.json');
    expect(wrap('mcp.json', '--undo', '--dry-run').stdout).toContain('"Authorization"');
    expect(wrap('mcp.json', '--undo', '--dry-run').stdout).not.toContain('5ecret');
    wrap('mcp.json', '--undo');
    expect(readFileSync(file, 'utf8')).toBe(remote);
  });

  it('keeps the file as it was in a backup, and no backup twice', () => {
    const own = join(mkdtempSync(join(folder, 'backup-')), 'mcp.json');
    const backups = () => readdirSync(join(own, '..')).filter((name) => name !== 'mcp.json');
    writeFileSync(own, text);
    writeFileSync(`${own}.backup`, 'of somebody else');
    expect(wrap(own).stdout).toContain(`The file as it was: ${own}.backup-2`);
    expect(readFileSync(`${own}.backup-2`, 'utf8')).toBe(text);
    const wrapped = readFileSync(own, 'utf8');
    expect(wrap(own, '--undo').stdout).toContain(`The file as it was: ${own}.backup-3`);
    expect(readFileSync(`${own}.backup-3`, 'utf8')).toBe(wrapped);
    expect(wrap(own).stdout).toContain(`The file as it was: ${own}.backup-2`);
    expect(wrap(own).stdout).not.toContain('as it was');
    expect(wrap(own, '--undo', '--dry-run').stdout).not.toContain('as it was');
    expect(backups()).toEqual(['mcp.json.backup', 'mcp.json.backup-2', 'mcp.json.backup-3']);
    expect(readFileSync(`${own}.backup`, 'utf8')).toBe('of somebody else');
  });

  itOnPosix('file modes', 'makes backups that no more users may read than the file, and none through a link', () => {
    const own = join(mkdtempSync(join(folder, 'backup-')), 'mcp.json');
    const elsewhere = join(folder, 'elsewhere.json');
    writeFileSync(own, text);
    chmodSync(own, 0o600);
    symlinkSync(elsewhere, `${own}.backup`);
    writeFileSync(`${own}.backup-2`, text, { mode: 0o644 });
    expect(wrap(own).stdout).toContain(`${own}.backup-3`);
    expect(statSync(`${own}.backup-3`).mode & 0o777).toBe(0o600);
    expect(existsSync(elsewhere)).toBe(false);
  });

  itOnPosix('links', 'follows a link, as dotfiles are', () => {
    writeFileSync(file, text);
    symlinkSync(file, join(folder, 'link.json'));
    wrap('link.json');
    expect(readFileSync(file, 'utf8')).toContain('mcp-record');
  });

  it.each([
    ['WRAP_UNREADABLE', 'none.json'],
    ['WRAP_NO_SUCH_SERVER', 'mcp.json', '--server', 'other'],
  ])('%s', (code, ...words) => {
    const { stderr, status } = wrap(...words);
    expect(stderr).toContain(`[${code}]`);
    expect(status).toBe(2);
  });
});
