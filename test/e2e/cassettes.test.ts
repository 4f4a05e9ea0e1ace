import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCassette } from '../../src/cassette/read/load-cassette.ts';
import { timelineOf } from '../../src/text-report/timeline-rows.ts';
import { replayed, teed } from '../support/command.ts';
import { runSession } from './session/run.ts';
import { filed, others, whole } from './session/scenarios.ts';

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
