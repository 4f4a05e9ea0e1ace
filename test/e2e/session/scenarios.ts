import { join } from 'node:path';
import { type Command, everything, program } from '../../support/command.ts';
import { connectClient2 } from './client-2.ts';
import { filesystemSteps, memorySteps, NOTES } from './file-steps.ts';
import { modernSteps } from './modern-steps.ts';
import type { Peer } from './peer.ts';
import { connectSdk1 } from './sdk-1.ts';
import { type Step, steps } from './steps.ts';

/** Who talks to whom about what. Its name is also that of its cassette. */
export interface Scenario {
  name: string;
  server: Command;
  connect(server: Command): Promise<Peer>;
  steps: readonly Step[];
}

const modern: Command = {
  command: process.execPath,
  args: [join(import.meta.dirname, '..', 'servers', 'modern.js')],
};

const BRIEF = [
  'opens, and gives its roots when asked',
  'lists the prompts',
  'calls a tool',
  'follows the progress of a long call',
  'samples for the server',
  'makes twenty calls at once',
  'cancels a long call, and goes on',
];
const briefSteps = steps.filter(({ name }) => BRIEF.includes(name));

/** The whole session, between the SDK that most clients are built on and the server that has everything. */
export const whole: Scenario = { name: 'everything', server: everything, connect: connectSdk1, steps };

/** The same pieces in other constellations of client and server. */
export const others: readonly Scenario[] = [
  { name: 'client-2-default', server: everything, connect: connectClient2, steps: briefSteps },
  {
    name: 'client-2-auto',
    server: everything,
    connect: (server) => connectClient2(server, 'auto'),
    steps: briefSteps,
  },
  {
    name: 'client-2-auto-modern',
    server: modern,
    connect: (server) => connectClient2(server, 'auto'),
    steps: modernSteps,
  },
  {
    name: 'client-2-pinned',
    server: modern,
    connect: (server) => connectClient2(server, { pin: '2026-07-28' }),
    steps: modernSteps,
  },
];

/** Sessions with servers that keep files: held live only when their cassettes are made. */
export const filed: readonly Scenario[] = [
  {
    name: 'filesystem',
    server: program('@modelcontextprotocol/server-filesystem', 'dist/index.js', NOTES),
    connect: (server) => connectSdk1(server, { roots: [{ uri: `file://${NOTES}`, name: 'notes' }] }),
    steps: filesystemSteps,
  },
  {
    name: 'memory',
    server: {
      ...program('@modelcontextprotocol/server-memory', 'dist/index.js'),
      env: { MEMORY_FILE_PATH: join(NOTES, 'memory.jsonl') },
    },
    connect: (server) => connectSdk1(server),
    steps: memorySteps,
  },
];
