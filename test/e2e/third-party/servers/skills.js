#!/usr/bin/env node
/** `skills.js`: the Skills extension as the official SDK serves it, on stdio, or over HTTP at the port `PORT`. */
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { memorySkillFiles, SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { serveFetch } from '../../conformance/serve-fetch.js';

const skills = await SkillsExtension.load(
  memorySkillFiles({
    'review/SKILL.md': '---\nname: review\ndescription: Reviews code.\n---\nRead [the rules](references/RULES.md).\n',
    'review/references/RULES.md': 'Look for `TODO`.\n',
    'review/assets/mark.bin': new Uint8Array([0, 255, 10, 13]),
    'daily/SKILL.md': '---\nname: daily\ndescription: Writes the daily note.\n---\nWrite three lines.\n',
  }),
  { pageSize: 1 },
);

function server() {
  const mcp = new McpServer({ name: 'skills', version: '1.0.0' }, { capabilities: { resources: {} } });
  skills.attach(mcp);
  return mcp;
}

if (process.env.PORT === undefined) serveStdio(server);
else {
  const handler = createMcpHandler(server, { legacy: 'stateless' });
  serveFetch((request) => handler.fetch(request));
}
