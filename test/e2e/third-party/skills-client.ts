import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Command } from '../../support/command.ts';

type Connected = Parameters<Client['connect']>[0];

/** What the official SDK's client of the Skills extension sees of a server. It checks the digest of each file. */
export async function seenBySkillsClient(server: Command | URL, mode: 'legacy' | 'auto'): Promise<unknown> {
  const transport =
    server instanceof URL
      ? new StreamableHTTPClientTransport(server)
      : new StdioClientTransport({ command: server.command, args: server.args, stderr: 'ignore' });
  const client = new Client({ name: 'skills-client', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(transport as Connected);
  const skills = new SkillsClient(client);
  const { skills: listed } = await skills.list();
  const review = (await skills.get('skill://review/SKILL.md')).skill;
  const refused = (error: { code?: unknown; message: string }) => ({ code: error.code, message: error.message });
  const seen = {
    revision: client.getNegotiatedProtocolVersion(),
    directoryRead: skills.directoryRead,
    listed,
    read: [
      await skills.read(review),
      await skills.read(review, 'references/RULES.md'),
      await skills.read(review, 'assets/mark.bin'),
    ],
    directory: (await skills.readDirectory('skill://review')).resources,
    unknown: await skills.get('skill://none/SKILL.md').catch(refused),
    file: await skills.readDirectory('skill://review/SKILL.md').catch(refused),
  };
  await client.close();
  return seen;
}
