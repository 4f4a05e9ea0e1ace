import { ResourceTemplate } from '@modelcontextprotocol/server';
import { PIXEL } from './content.js';

const resources = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: PIXEL },
  'test://watched-resource': { mimeType: 'text/plain', text: 'Nothing has changed.' },
};

/** Resources that never change, of which clients can be told should they. */
export function offerResources(server) {
  for (const [uri, content] of Object.entries(resources)) {
    const { mimeType } = content;
    server.registerResource(uri.replace('test://', ''), uri, { description: 'Is read', mimeType }, () => ({
      contents: [{ uri, ...content }],
    }));
  }

  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'Is read by its id', mimeType: 'application/json' },
    ({ href }, { id }) => {
      const data = { id, templateTest: true, data: `Data for ID: ${id}` };
      return { contents: [{ uri: href, mimeType: 'application/json', text: JSON.stringify(data) }] };
    },
  );

  for (const method of ['resources/subscribe', 'resources/unsubscribe'])
    server.server.setRequestHandler(method, () => ({}));
}
