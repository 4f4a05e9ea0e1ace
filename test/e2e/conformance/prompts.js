import { fromJsonSchema } from '@modelcontextprotocol/server';
import { image, text } from './content.js';

const user = (...contents) => ({ messages: contents.map((content) => ({ role: 'user', content })) });
const strings = (...names) =>
  fromJsonSchema({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    required: names,
  });

/** Prompts of every form. */
export function offerPrompts(server) {
  server.registerPrompt('test_simple_prompt', { description: 'Is simple' }, () =>
    user(text('This is a simple prompt for testing.')),
  );

  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'Takes arguments', argsSchema: strings('arg1', 'arg2') },
    ({ arg1, arg2 }) => user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );

  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Holds a resource', argsSchema: strings('resourceUri') },
    ({ resourceUri: uri }) => {
      const words = 'Embedded resource content for testing.';
      const resource = { uri, mimeType: 'text/plain', text: words };
      return user({ type: 'resource', resource }, text('Please process the embedded resource above.'));
    },
  );

  server.registerPrompt('test_prompt_with_image', { description: 'Holds a picture' }, () =>
    user(image(), text('Please analyze the image above.')),
  );

  server.server.setRequestHandler('completion/complete', ({ params }) => {
    const values = ['paris', 'park', 'party'].filter((word) => word.startsWith(params.argument.value));
    return { completion: { values, total: values.length, hasMore: false } };
  });
}
