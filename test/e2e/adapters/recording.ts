import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RecordingOptions } from '../../../src/adapters/endpoint/open-endpoint-in-mode.ts';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import type { FetchEndpoint } from '../../../src/mock/endpoint/fetch-endpoint.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { CREDENTIAL } from '../http/clients.ts';
import { type Constellation, constellations } from '../http/constellations.ts';
import { server } from '../http/processes.ts';
import { runSession } from '../session/run.ts';
import { type Transcript, withoutClock } from '../session/transcript.ts';
import { eventsOf, rawSession } from './raw-session.ts';

/** An endpoint of a mocking library that reaches the real server. */
export interface Placed {
  endpoint: FetchEndpoint;
  /** Takes the library away again. */
  leave(): void;
}

/** A mocking library that sees the real traffic. */
export interface RecordingWay {
  name: string;
  /** Answers `url` from the cassette or the server, as the mode says. */
  place(url: string, cassette: string, options: RecordingOptions): Promise<Placed>;
}

const env = {};
const folder = temporaryFolder();
const newCassette = () => join(mkdtempSync(join(folder, 'cassette-')), 'cassette.yaml');
const filesBeside = (tape: string) => readdirSync(join(tape, '..')).sort();

/** With a session, without, and of the revision that has none. */
const recorded = constellations.filter(({ name }) => /resumable|stateless|2026/.test(name));

/** The session with a server of its own: MSW 3 does not see what passes on connections that were open before. */
async function withoutIt({ start, connect, steps }: Constellation): Promise<unknown> {
  await using far = await start();
  return outcomes(await runSession(await connect(far.url), steps));
}

/** What each step came to. */
function outcomes(told: Transcript): unknown {
  return withoutClock(told).map(({ step, outcome }) => ({ step, outcome }));
}

/** What every library must do that has the real server recorded. */
export function recordingContract({ name, place }: RecordingWay): void {
  const within = async <Result>(placed: Placed, run: () => Promise<Result>): Promise<Result> => {
    try {
      return await run();
    } finally {
      placed.leave();
      placed.endpoint.finish({ passed: false });
    }
  };
  const whoami = async (url: URL, who: string) => (await rawSession(url)).result('whoami', { who });

  describe(`recording through ${name}`, () => {
    it.each(recorded)('is a session with $name as it is without, and is replayed offline', async (constellation) => {
      const { start, connect, steps } = constellation;
      const tape = newCassette();
      const direct = await withoutIt(constellation);
      await using far = await start();
      for (const mode of ['record', 'replay']) {
        const placed = await place(far.url.href, tape, { env: mode === 'replay' ? { CI: 'true' } : env });
        await within(placed, async () => {
          expect(outcomes(await runSession(await connect(far.url), steps))).toEqual(direct);
          const { findings, ...outcome } = placed.endpoint.finish();
          expect(findings.filter(({ kind }) => kind === 'miss')).toEqual([]);
          expect(placed.endpoint.mode).toBe(mode);
          expect(outcome.written).toBe(mode === 'record' ? tape : undefined);
        });
        await far.stop();
      }
      const { header, end } = loadCassette(tape);
      expect([header.transport, header.url, end]).toEqual(['http', far.url.href, expect.any(String)]);
      expect(filesBeside(tape).filter((file) => file.includes('recording'))).toEqual([]);
      expect(readFileSync(tape, 'utf8')).not.toContain(CREDENTIAL);
    });

    it('passes the events of a stream on as they come', async () => {
      await using far = await server('plain.js');
      const placed = await place(far.url.href, newCassette(), { env });
      await within(placed, async () => {
        const { post } = await rawSession(far.url);
        const heard: unknown[] = [];
        // The server says each event only when the one before was heard.
        for await (const event of eventsOf(await post('stream', { count: 5, acknowledged: 5 }))) {
          heard.push(event);
          if (heard.length <= 5) await post('heard', undefined, { id: 0 });
        }
        expect(heard).toHaveLength(6);
      });
    });

    it('tells the server that a client has given up, and the cassette', async () => {
      const tape = newCassette();
      await using far = await server('plain.js');
      const placed = await place(far.url.href, tape, { env });
      await within(placed, async () => {
        const gone = new AbortController();
        const { post } = await rawSession(far.url);
        const reading = (await post('hang', {}, { signal: gone.signal })).text();
        gone.abort();
        await expect(reading).rejects.toThrow('aborted');
        await far.tells('lost hang');
        placed.endpoint.finish();
        expect(readFileSync(tape, 'utf8')).toContain('- close: client\n');
      });
    });

    it.each([
      ['closes-begun', /- close: server\n {2}stream: \d+\n {2}how: fin\n/],
      ['closes', /- close: server\n {2}stream: \d+\n {2}how: fin\n/],
      ['resets', /- close: server\n {2}stream: \d+\n {2}how: rst\n/],
    ])('tells the client that the server broke off, and the cassette (%s)', async (how, taped) => {
      const tape = newCassette();
      await using far = await server('breaks.js', how);
      const placed = await place(far.url.href, tape, { env });
      await within(placed, async () => {
        const { post } = await rawSession(far.url);
        const reading = post('tools/call', { name: 'first' }).then((answer) => answer.text());
        await expect(reading).rejects.toThrow();
        placed.endpoint.finish();
        expect(readFileSync(tape, 'utf8')).toMatch(taped);
      });
    });

    it('makes a cassette for each session, and replays them all', async () => {
      const tape = newCassette();
      await using far = await server('plain.js');
      const both = () => Promise.all(['Ada', 'Bob'].map((who) => whoami(far.url, who)));
      const recording = await place(far.url.href, tape, { env });
      await within(recording, async () => {
        await both();
        expect(recording.endpoint.finish()).toMatchObject({ written: tape, failed: false });
      });
      expect(filesBeside(tape)).toEqual(['cassette.2.yaml', 'cassette.yaml']);
      const replaying = await place(far.url.href, tape, { env });
      await within(replaying, async () => {
        expect((await both()).map(({ who }) => who)).toEqual(['Ada', 'Bob']);
        expect(replaying.endpoint.finish()).toEqual({ findings: [], failed: false, failures: [] });
      });
      const again = await place(far.url.href, tape, { env, mode: 'record' });
      await within(again, async () => {
        await whoami(far.url, 'Eve');
        again.endpoint.finish();
      });
      expect(filesBeside(tape)).toEqual(['cassette.yaml']);
    });

    it('says what a rule matches and that must stay', async () => {
      const tape = newCassette();
      await using far = await server('plain.js');
      const redact = { rules: [{ pattern: /^whoami$/ }] };
      const recording = await place(far.url.href, tape, { env, redact });
      await within(recording, async () => {
        await whoami(far.url, 'Ada');
        const { notes } = recording.endpoint.finish();
        expect(notes).toContainEqual(expect.stringMatching(/matches \/method.*\[SECRETS_NOT_REDACTED\]/s));
      });
      expect(readFileSync(tape, 'utf8')).toContain('method: whoami');
    });

    it('fails where one of several recorded sessions never came', async () => {
      const tape = newCassette();
      await using far = await server('plain.js');
      const recording = await place(far.url.href, tape, { env });
      await within(recording, async () => {
        for (const who of ['Ada', 'Bob']) await whoami(far.url, who);
        recording.endpoint.finish();
      });
      const replaying = await place(far.url.href, tape, { env });
      await within(replaying, async () => {
        await whoami(far.url, 'Bob');
        const { failed, findings } = replaying.endpoint.finish();
        expect([failed, findings.map(({ kind }) => kind)]).toEqual([true, ['unused']]);
        expect(findings[0]!.text).toContain('cassette.yaml');
      });
    });

    it('leaves the cassette as it is where the run did not pass', async () => {
      const tape = newCassette();
      writeFileSync(tape, 'as it was\n');
      await using far = await server('plain.js');
      const placed = await place(far.url.href, tape, { env, mode: 'record' });
      await within(placed, async () => {
        await whoami(far.url, 'Ada');
        const { kept } = placed.endpoint.finish({ passed: false });
        expect(loadCassette(kept!).end).toBe('complete');
      });
      expect(readFileSync(tape, 'utf8')).toBe('as it was\n');
      expect(filesBeside(tape)).toEqual(['cassette.recording.yaml', 'cassette.yaml']);
    });

    it('leaves nothing of a server that is not there, and says so', async () => {
      const tape = newCassette();
      const far = await server('plain.js');
      await far.stop();
      const placed = await place(far.url.href, tape, { env });
      await within(placed, async () => {
        await expect(whoami(far.url, 'Ada')).rejects.toThrow();
        const { failed, findings } = placed.endpoint.finish();
        expect([failed, findings.map(({ text }) => text)]).toEqual([
          true,
          [expect.stringMatching(/^The server at \S+ never answered, so that .*ECONNREFUSED/)],
        ]);
      });
      expect(filesBeside(tape)).toEqual([]);
    });

    it('writes nothing in mode "passthrough", and records nothing under CI', async () => {
      const tape = newCassette();
      await using far = await server('plain.js');
      const placed = await place(far.url.href, tape, { env, mode: 'passthrough' });
      await within(placed, async () => {
        expect(await whoami(far.url, 'Ada')).toMatchObject({ who: 'Ada' });
        expect(placed.endpoint.received('whoami')).toHaveLength(1);
        expect(placed.endpoint.finish()).toEqual({ findings: [], failed: false, failures: [] });
      });
      await expect(place(far.url.href, tape, { env: { CI: 'true' } })).rejects.toThrow('[CASSETTE_MISSING]');
      await expect(place(far.url.href, tape, { env: { MCP_RECORD: 'once' } })).rejects.toThrow('[USAGE_UNKNOWN_MODE]');
      expect(filesBeside(tape)).toEqual([]);
    });
  });
}
