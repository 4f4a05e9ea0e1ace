import { expect } from 'vitest';
import type { Cassette } from '../../../src/cassette/cassette.ts';
import { ManualClock } from '../../../src/kernel/manual-clock.ts';
import type { Area } from '../area.ts';
import { inFolder } from '../folder.ts';
import { driveProcess, recordProcess, serveProcess } from '../stdio/process.ts';
import type { RawEnd } from '../stdio/raw-end.ts';
import type { Talk } from '../talk.ts';
import type { Line } from '../wire/line.ts';

const ON = { on: ['stdio'] } as const;
const STDIO = 'Lifecycle, Shutdown: stdio';
const ELSEWHERE = { 'Streamable HTTP': 'http/session-end', 'HTTP+SSE': 'sse/ended' } as const;
const done = { content: [{ type: 'text', text: 'done' }] };
/** As clients wait from the end of input to SIGTERM. */
const GRACE = 2_000;

interface Ends {
  client?: RawEnd;
  server?: RawEnd;
}

/** A session of one call, up to its end. */
async function talkOver(talk: Talk, { client, server }: Ends): Promise<void> {
  const heard = { client: 0, server: 0 };
  const lines: Line[] = [
    ...talk.opening({ server: { tools: {} } }),
    talk.ask(1, 'tools/call', { name: 'echo' }),
    talk.answer(1, done),
  ];
  for (const { from, message } of lines) {
    const data = Buffer.from(`${JSON.stringify(message)}\n`);
    heard[from] += data.length;
    (from === 'client' ? client : server)?.write(data);
    await (from === 'client' ? server : client)?.hears(heard[from]);
  }
}

/** The cassette of a session that both ends end so that the recorder exits with `status`. */
function recorded(
  talkTo: (ends: Ends) => Promise<void>,
  status: number | string,
  end: (ends: Required<Ends>) => Promise<void>,
): Promise<Cassette> {
  return inFolder(async (folder) => {
    const { client, server, ended, tape } = recordProcess(folder);
    await talkTo({ client, server });
    await end({ client, server });
    expect(await ended).toEqual({ status });
    return tape();
  });
}

/** What a cassette has of the end of its session. */
const endOf = ({ events }: Cassette) =>
  events.flatMap(({ frame }) => {
    if (frame.kind === 'signal') return [frame.signal];
    if (frame.kind === 'exit') return [frame.status];
    return frame.kind === 'close' ? [`${frame.from} closes`] : [];
  });

/** How a session over stdio ends. */
export const shutdown: Area = {
  name: 'Stdio: shutdown',
  requirements: [
    {
      id: 'shutdown/end-of-input',
      source: STDIO,
      not: ELSEWHERE,
      says: 'A client closes the input of the server, which exits, with a status of its own.',
    },
    {
      id: 'shutdown/signals',
      source: STDIO,
      not: ELSEWHERE,
      says: 'A server that does not exit is sent SIGTERM, and then SIGKILL.',
    },
    {
      id: 'shutdown/by-server',
      source: STDIO,
      not: ELSEWHERE,
      says: 'A server closes its output and exits: the client need not have ended.',
    },
    {
      id: 'shutdown/crash',
      source: 'Lifecycle, Shutdown; 2026-07-28: Transports, stdio',
      not: ELSEWHERE,
      says: 'A server dies before it has answered; what was lost is asked of another.',
    },
  ],
  scenes: [
    {
      title: 'a client closes, and the server exits with 3',
      ...ON,
      shows: ['shutdown/end-of-input'],
      async play(talk) {
        const cassette = await recorded(
          (ends) => talkOver(talk, ends),
          3,
          async ({ client, server }) => {
            client.close();
            await server.told('close');
            server.close();
            server.exit(3);
          },
        );
        expect(endOf(cassette)).toEqual(['client closes', 'server closes', 3]);

        const served = serveProcess(cassette);
        await talkOver(talk, served);
        served.client.close();
        expect([(await served.ended).status, served.findings]).toEqual([3, []]);

        const { server, driven } = driveProcess(cassette);
        await talkOver(talk, { server });
        await server.told('close');
        server.close();
        server.exit(3);
        const { exit, killed, died, findings } = await driven;
        expect([exit?.status, killed, died, findings]).toEqual([3, false, false, []]);
      },
    },
    {
      title: 'a server goes on until it is killed',
      ...ON,
      shows: ['shutdown/signals'],
      async play(talk) {
        const cassette = await recorded(
          (ends) => talkOver(talk, ends),
          'SIGTERM',
          async ({ client, server }) => {
            client.close();
            await server.told('close');
            client.signal('SIGTERM');
            expect(await server.told('signal')).toBe('SIGTERM');
            server.exit('SIGTERM');
          },
        );
        expect(endOf(cassette)).toEqual(['client closes', 'SIGTERM', 'SIGTERM']);

        const served = serveProcess(cassette);
        await talkOver(talk, served);
        served.client.signal('SIGTERM');
        expect([(await served.ended).status, served.findings]).toEqual(['SIGTERM', []]);

        const clock = new ManualClock();
        const { server, driven } = driveProcess(cassette, clock);
        await talkOver(talk, { server });
        await server.told('close');
        for (const signal of ['SIGTERM', 'SIGKILL']) {
          clock.advance(GRACE);
          expect(await server.told('signal')).toBe(signal);
        }
        server.exit('SIGKILL');
        const { exit, killed } = await driven;
        expect([exit?.status, killed]).toEqual(['SIGKILL', true]);
      },
    },
    {
      title: 'a server exits by itself when all is said',
      ...ON,
      shows: ['shutdown/by-server'],
      async play(talk) {
        const cassette = await recorded(
          (ends) => talkOver(talk, ends),
          0,
          async ({ client, server }) => {
            server.close();
            server.exit(0);
            await client.told('close');
          },
        );
        expect(endOf(cassette)).toEqual(['server closes', 0]);

        const served = serveProcess(cassette);
        await talkOver(talk, served);
        await served.client.told('close');
        expect([(await served.ended).status, served.findings]).toEqual([0, []]);

        const { server, driven } = driveProcess(cassette);
        await talkOver(talk, { server });
        server.close();
        server.exit(0);
        const { exit, findings } = await driven;
        expect([exit?.status, findings]).toEqual([0, []]);
      },
    },
    {
      title: 'a server dies while it is asked, and another answers',
      ...ON,
      shows: ['shutdown/crash'],
      async play(talk) {
        const lost = Buffer.from(`${JSON.stringify(talk.ask(2, 'tools/list').message)}\n`);
        const ask = async ({ client, server }: Ends) => {
          await talkOver(talk, { ...(client && { client }), ...(server && { server }) });
          client?.write(lost);
        };
        const cassette = await recorded(ask, 'SIGSEGV', async ({ client, server }) => {
          server.close();
          server.exit('SIGSEGV');
          await client.told('close');
        });
        expect(endOf(cassette)).toEqual(['server closes', 'SIGSEGV']);

        const served = serveProcess(cassette);
        await ask(served);
        await served.client.told('close');
        expect([(await served.ended).status, served.findings]).toEqual(['SIGSEGV', []]);

        // Another process plays the same session from its beginning.
        const { server, driven } = driveProcess(cassette);
        await ask({ server });
        server.close();
        server.exit('SIGSEGV');
        expect((await driven).exit?.status).toBe('SIGSEGV');
      },
    },
  ],
};
