import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { Cassette } from '../../src/cassette/cassette.ts';
import { eventsToEntries } from '../../src/cassette/split-batches-into-entries.ts';
import type { Ignore } from '../../src/match/ignore-rules.ts';
import type { Redactor } from '../../src/redact/redactor.ts';
import type { LiveRedaction } from '../../src/verify/compare/equal-placeholders.ts';
import type { Line } from './wire/line.ts';
import { converse, type Wire } from './wire/wire.ts';

/** Both sides hear through a recorder what the other says, and all of it is in the cassette, which this gives. */
export async function showRecorder(wire: Wire, said: readonly Line[], kept: readonly Line[]): Promise<Cassette> {
  const cassette = await recorded(wire, said);
  const all = kept.map(({ from, message }) => ({ from, message }));
  expect(inOrder(saidOn(cassette), kept), 'all of it is in the cassette').toEqual(all);
  return cassette;
}

/** Both sides hear through a recorder what the other says. Gives the cassette. */
export async function recorded(wire: Wire, said: readonly Line[], redactor?: () => Redactor): Promise<Cassette> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-manifest-'));
  try {
    const recording = await wire.record(folder, redactor);
    await converse(said, recording);
    const cassette = await recording.cassette();
    expect([recording.client.inbox.rest, recording.server.inbox.rest], 'nobody hears anything else').toEqual([[], []]);
    return cassette;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What is said of a cassette whose peers left something open, which fails nothing. */
export const NOTES: ReadonlySet<string> = new Set(['unplayable', 'unanswerable', 'guessed']);

/** A client hears from the mock server of a cassette what it heard from the server. */
export async function showMockServer(
  wire: Wire,
  said: readonly Line[],
  cassette: Cassette,
  ignore: readonly Ignore[] = [],
): Promise<void> {
  const served = await wire.serve(cassette, ignore);
  await converse(said, served);
  const findings = (await served.findings()).filter(({ kind }) => !NOTES.has(kind));
  expect(findings, 'the mock server misses nothing').toEqual([]);
  expect(served.client.inbox.rest, 'the client hears nothing else').toEqual([]);
}

/** A server hears from the mock client of a cassette what it heard from the client. */
export async function showMockClient(
  wire: Wire,
  said: readonly Line[],
  cassette: Cassette,
  redaction?: LiveRedaction,
): Promise<void> {
  await using drove = await wire.drive(cassette, redaction);
  await converse(said, drove);
  const { findings, unanswered } = await drove.driven;
  expect([findings, unanswered], 'the mock client misses nothing').toEqual([[], []]);
  expect(drove.server.inbox.rest, 'the server hears nothing else').toEqual([]);
}

/** Messages of a cassette, in its order. */
export const saidOn = ({ events }: Cassette) =>
  eventsToEntries(events).flatMap(({ from, message }) => (message === undefined ? [] : [{ from, message }]));

/** What crosses on two connections is in the cassette in either order. */
function inOrder<T extends { message: unknown }>(recorded: T[], said: readonly Line[]): T[] {
  if (!said.some(({ crosses }) => crosses)) return recorded;
  const place = ({ message }: T) => said.findIndex((line) => isDeepStrictEqual(line.message, message));
  return recorded.toSorted((a, b) => place(a) - place(b));
}
