import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCassette } from '../../src/cassette/read/load-cassette.ts';
import { timelineOf } from '../../src/text-report/timeline.ts';
import { recorded, replayed, teed } from '../support/command.ts';
import { runSession } from './session/run.ts';
import { filed, others, whole } from './session/scenarios.ts';
import { strangers } from './session/strangers.ts';

const cassettes = join(import.meta.dirname, '..', '..', 'cassettes');
const tape = (name: string) => join(cassettes, `${name}.yaml`);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-cassettes-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('each recorded session', () => {
  it.each(readdirSync(cassettes))('%s is whole', (name) => {
    const cassette = loadCassette(join(cassettes, name));
    expect(cassette.warnings).toEqual([]);
    expect(cassette.end).toBe('complete');
    expect(timelineOf(cassette).fates).toMatchObject({ pending: 0 });
  });

  it.each([whole, ...others, ...filed])(
    '$name plays to the client that it was recorded with, without a miss',
    async (scenario) => {
      const wire = join(folder, scenario.name);
      const peer = await scenario.connect(teed(wire, replayed(tape(scenario.name))));
      const steps = scenario.steps.filter(({ large }) => !large);
      const transcript = await runSession(peer, steps);
      expect(JSON.stringify(transcript)).not.toMatch(/mcpRecord|mcp-record: /);
      expect(readFileSync(`${wire}.exit`, 'utf8')).toBe('0');
    },
  );
});

describe('a client that is a program of its own', { timeout: 120_000 }, () => {
  it.each(strangers)(
    '$name gets the same answer live, recorded, replayed, and from the cassette kept here',
    async ({ name, server, ask }) => {
      const file = join(folder, `${name}.yaml`);
      const live = await ask(server);
      expect(live).toContain('The sum of 3 and 4 is 7.');
      expect(await ask(recorded(file, server))).toBe(live);
      expect(await ask(replayed(file))).toBe(live);
      expect(await ask(replayed(tape(name)))).toBe(live);
    },
  );
});
