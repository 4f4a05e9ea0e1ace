import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it } from 'vitest';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { wrapCommand } from './wrap-command.ts';

const { folder, file, text, wrap } = wrapCommand();

describe('mcp-record wrap', () => {
  it('shows what would be different, and writes nothing', () => {
    writeFileSync(file, text);
    const { stdout, status } = wrap('mcp.json', '--dry-run');
    expect(stdout).toContain('-     "the memory": {');
    expect(stdout).toMatch(/"-y", "mcp-record@\d+\.\d+\.\d+", "record", "-o"/);
    expect([readFileSync(file, 'utf8'), status]).toEqual([text, 0]);
  });

  it('lets a client record, and is out again without a trace', async () => {
    writeFileSync(file, text);
    expect(wrap('mcp.json', '-o', 'cassettes', '--local').stdout).toContain('the memory is recorded over stdio');
    const { mcpServers } = JSON.parse(readFileSync(file, 'utf8').replace(/\/\/.*|,(?=\s*\n\s*\})/g, ''));
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(new StdioClientTransport(mcpServers['the memory']));
    await client.listTools();
    await client.close();
    const cassettes = join(folder, 'cassettes', 'the-memory');
    const [cassette] = readdirSync(cassettes);
    expect(loadCassette(join(cassettes, cassette!)).end).toBe('complete');

    expect(wrap('mcp.json', '--undo').status).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });
});
