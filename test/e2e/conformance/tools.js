import { setTimeout as wait } from 'node:timers/promises';
import { fromJsonSchema } from '@modelcontextprotocol/server';
import { image, SILENCE, says, text } from './content.js';

const MOMENT = 50;

const contentOf = {
  test_simple_text: [text('This is a simple text response for testing.')],
  test_image_content: [image()],
  test_audio_content: [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }],
  test_embedded_resource: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  test_multiple_content_types: [
    text('Multiple content types test:'),
    image(),
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ],
};

/** Tools that only answer, report, or fail. */
export function offerTools(server, { changed }) {
  for (const [name, content] of Object.entries(contentOf))
    server.registerTool(name, { description: 'Gives content' }, () => ({ content }));

  server.registerTool('test_tool_with_logging', { description: 'Logs' }, async ({ mcpReq }) => {
    await mcpReq.log('info', 'Tool execution started');
    await wait(MOMENT);
    await mcpReq.log('info', 'Tool processing data');
    await wait(MOMENT);
    await mcpReq.log('info', 'Tool execution completed');
    return says('Logged three times.');
  });

  server.registerTool('test_logging_tool', { description: 'Logs where asked to' }, async ({ mcpReq }) => {
    await mcpReq.log('info', 'Heard by those who set a level');
    return says('Logged.');
  });

  server.registerTool('test_tool_with_progress', { description: 'Progresses' }, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      const params = { progressToken, progress, total: 100 };
      if (progressToken !== undefined) await mcpReq.notify({ method: 'notifications/progress', params });
      await wait(MOMENT);
    }
    return says('Done.');
  });

  server.registerTool('test_error_handling', { description: 'Fails' }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });

  server.registerTool('test_reconnection', { description: 'Closes its stream before it answers' }, async ({ http }) => {
    http?.closeSSE?.();
    await wait(MOMENT);
    return says('Welcome back.');
  });

  server.registerTool('test_trigger_tool_change', { description: 'Changes the tools' }, () => {
    changed?.toolsChanged();
    return says('Changed.');
  });

  server.registerTool('test_trigger_prompt_change', { description: 'Changes the prompts' }, () => {
    changed?.promptsChanged();
    return says('Changed.');
  });

  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Has a schema with much in it', inputSchema: fromJsonSchema(contact) },
    () => says('Noted.'),
  );

  server.registerTool(
    'test_header_parameter',
    { description: 'Has a parameter that is sent as a header, too', inputSchema: fromJsonSchema(regional) },
    ({ region }) => says(`In ${region}.`),
  );
}

function embedded(uri, mimeType, words) {
  return { type: 'resource', resource: { uri, mimeType, text: words } };
}

const regional = {
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
  required: ['region'],
};

const contact = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};
