import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recorded, replayed, teed } from '../../support/command.ts';
import { runSession } from './run.ts';
import { others, type Scenario, whole } from './scenarios.ts';
import { type Transcript, withoutClock } from './transcript.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-session-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function hold({ connect, steps }: Scenario, server: Scenario['server']): Promise<Transcript> {
  return runSession(await connect(server), steps);
}

describe('a session of every kind of traffic', () => {
  it('goes the same direct, recorded and replayed', async () => {
    const file = join(folder, 'whole.yaml');
    const direct = await hold(whole, whole.server);
    const recording = await hold(whole, recorded(file, whole.server));
    expect(withoutClock(recording)).toEqual(withoutClock(direct));
    for (let n = 0; n < 3; n++) expect(await hold(whole, replayed(file))).toEqual(recording);
  });

  it('passes the same bytes with the recorder and without', async () => {
    const file = join(folder, 'bytes.yaml');
    const far = teed(join(folder, 'far'), whole.server);
    await hold(whole, teed(join(folder, 'direct'), whole.server));
    await hold(whole, teed(join(folder, 'near'), recorded(file, far)));
    const bytes = (name: string) => readFileSync(join(folder, name));

    expect(bytes('near.in').equals(bytes('far.in'))).toBe(true);
    expect(bytes('near.out').equals(bytes('far.out'))).toBe(true);
    expect(bytes('near.in').equals(bytes('direct.in'))).toBe(true);
    const blank = (text: Buffer) => text.toString().replace(/created at [\d:]+/g, 'created at');
    expect(blank(bytes('near.out')) === blank(bytes('direct.out'))).toBe(true);
  });

  it('is replayed with the same bytes twice', async () => {
    const file = join(folder, 'twice.yaml');
    await hold(whole, recorded(file, whole.server));
    for (const name of ['once', 'again']) await hold(whole, teed(join(folder, name), replayed(file)));
    const bytes = (name: string) => readFileSync(join(folder, name));
    expect(bytes('once.out').length).toBeGreaterThan(1_000_000);
    expect(bytes('once.out').equals(bytes('again.out'))).toBe(true);
    expect(bytes('once.in').equals(bytes('again.in'))).toBe(true);
  });
});

describe('a session between', () => {
  it.each(others)('$name goes the same direct, recorded and replayed', async (scenario) => {
    const file = join(folder, `${scenario.name}.yaml`);
    const direct = await hold(scenario, scenario.server);
    const recording = await hold(scenario, recorded(file, scenario.server));
    expect(withoutClock(recording)).toEqual(withoutClock(direct));
    expect(await hold(scenario, replayed(file))).toEqual(recording);
  });

  it.each(['client-2-auto', 'client-2-pinned'])('%s asks first, and its question has a cassette of its own', (name) => {
    const files = readdirSync(folder).filter((file) => file.startsWith(`${name}.`));
    expect(files.sort()).toEqual([`${name}.probe.yaml`, `${name}.yaml`]);
  });
});
