import type { Area } from '../area.ts';
import { TRANSPORTS } from '../cells.ts';
import { showMockClient, showMockServer, showRecorder } from '../show.ts';
import type { Talk } from '../talk.ts';
import type { Line } from '../wire/line.ts';
import { WIRES } from '../wire/wires.ts';

const LEGACY = { until: '2025-11-25' } as const;

/** A session of one call, with what is said within it. */
const session = (talk: Talk, ...within: Line[]): Line[] => [
  ...talk.opening({ server: { tools: {} } }),
  talk.ask(1, 'tools/call', { name: 'slow' }),
  ...within,
  talk.answer(1, { content: [] }),
];

/** What no cassette has, and nobody waits for in vain. */
export const unrecorded: Area = {
  name: 'What is not in the cassette',
  requirements: [
    {
      id: 'lifecycle/live-ping',
      ...LEGACY,
      source: 'Ping',
      not: { recorder: 'keeps all' },
      says: 'A ping that the cassette does not have is answered at once, by either side.',
    },
  ],
  scenes: TRANSPORTS.map((transport) => ({
    title: 'each side pings as the other did not in the cassette',
    ...LEGACY,
    on: [transport],
    as: ['mock server', 'mock client'],
    shows: ['lifecycle/live-ping'],
    async play(talk) {
      const wire = WIRES[transport];
      const recorded = session(talk);
      const cassette = await showRecorder(wire, recorded, recorded);
      const byClient = [talk.ask('live', 'ping'), talk.answer('live', {})];
      await showMockServer(wire, [...recorded, ...byClient], cassette);
      const byServer = [talk.asked('live', 'ping', undefined, 1), talk.reply('live', {})];
      await showMockClient(wire, session(talk, ...byServer), cassette);
    },
  })),
};
