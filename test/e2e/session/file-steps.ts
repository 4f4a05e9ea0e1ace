import { posix } from 'node:path';
import { call, pages, type Step } from './steps.ts';

const { join } = posix;

/** The same on every machine, because it is in the cassette: emptied before these sessions are recorded. */
export const NOTES = '/tmp/mcp-record-demo';

const note = join(NOTES, 'note.txt');

/** What a client does with server-filesystem, but for what carries the date of a file. */
export const filesystemSteps: readonly Step[] = [
  {
    name: 'opens, and gives its roots when asked',
    async run(peer) {
      const asked = ({ method }: { method?: string }) => method === 'roots/list';
      if (!peer.heard.messages.some(asked)) await peer.heard.next(asked);
      return peer.opened;
    },
  },
  { name: 'lists the tools', run: (peer) => pages(peer, 'tools/list') },
  { name: 'asks what it may touch', run: (peer) => call(peer, 'list_allowed_directories') },
  {
    name: 'writes a file',
    run: (peer) => call(peer, 'write_file', { path: note, content: 'first line\nsecond line\n\n  漢字 — “quoted”\n' }),
  },
  { name: 'reads it', run: (peer) => call(peer, 'read_text_file', { path: note }) },
  { name: 'reads its head', run: (peer) => call(peer, 'read_text_file', { path: note, head: 1 }) },
  {
    name: 'edits it, and gets the difference',
    run: (peer) => call(peer, 'edit_file', { path: note, edits: [{ oldText: 'second line', newText: 'line two' }] }),
  },
  {
    name: 'makes a folder',
    run: (peer) => call(peer, 'create_directory', { path: join(NOTES, 'deep', 'er') }),
  },
  {
    name: 'moves the file',
    run: (peer) => call(peer, 'move_file', { source: note, destination: join(NOTES, 'deep', 'note.txt') }),
  },
  { name: 'lists a folder', run: (peer) => call(peer, 'list_directory', { path: join(NOTES, 'deep') }) },
  { name: 'shows the tree', run: (peer) => call(peer, 'directory_tree', { path: NOTES }) },
  { name: 'searches', run: (peer) => call(peer, 'search_files', { path: NOTES, pattern: '**/*.txt' }) },
  { name: 'reads what is not there', run: (peer) => call(peer, 'read_text_file', { path: note }) },
  { name: 'reads what it may not', run: (peer) => call(peer, 'read_text_file', { path: '/etc/hostname' }) },
];

/** What a client does with server-memory. */
export const memorySteps: readonly Step[] = [
  { name: 'opens', run: async ({ opened }) => opened },
  { name: 'lists the tools', run: (peer) => pages(peer, 'tools/list') },
  {
    name: 'remembers two people',
    run: (peer) =>
      call(peer, 'create_entities', {
        entities: [
          { name: 'Ada', entityType: 'person', observations: ['writes programs'] },
          { name: 'Charles', entityType: 'person', observations: ['builds engines', 'is often late'] },
        ],
      }),
  },
  {
    name: 'remembers how they know each other',
    run: (peer) =>
      call(peer, 'create_relations', {
        relations: [{ from: 'Ada', to: 'Charles', relationType: 'advises' }],
      }),
  },
  {
    name: 'learns more',
    run: (peer) => call(peer, 'add_observations', { observations: [{ entityName: 'Ada', contents: ['likes music'] }] }),
  },
  { name: 'searches', run: (peer) => call(peer, 'search_nodes', { query: 'programs' }) },
  { name: 'opens one', run: (peer) => call(peer, 'open_nodes', { names: ['Charles'] }) },
  { name: 'forgets one', run: (peer) => call(peer, 'delete_entities', { entityNames: ['Charles'] }) },
  { name: 'reads all', run: (peer) => call(peer, 'read_graph') },
  {
    name: 'adds to what it forgot',
    run: (peer) => call(peer, 'add_observations', { observations: [{ entityName: 'Charles', contents: ['is gone'] }] }),
  },
];
