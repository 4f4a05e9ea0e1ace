import { expect } from 'vitest';
import type { Cassette } from '../../../src/cassette/cassette.ts';
import type { OutputStream, Side } from '../../../src/channel/frame.ts';
import type { ResultOrError } from '../../../src/replay/match/protocol-generation.ts';
import { inFolder } from '../folder.ts';
import { driveProcess, recordProcess, serveProcess } from './process.ts';
import type { RawEnd } from './raw-end.ts';

/** What one side writes. */
export interface Written {
  from: Side;
  data: Buffer;
  on?: OutputStream;
  /** Byte by byte. */
  piecemeal?: boolean;
}

type Script = readonly Written[];

/** Both sides hear the very bytes of the other through a recorder. The cassette, in `folder` if there is to be one. */
export async function recorded(script: Script, folder?: string): Promise<Cassette> {
  if (folder === undefined) return inFolder((made) => recorded(script, made));
  const { client, server, tape } = recordProcess(folder);
  await converse(script, { client, server }, (bytes) => bytes);
  client.close();
  await server.told('close');
  server.close();
  server.exit(0);
  return tape();
}

/** A client hears the lines of the server from the mock server. */
export async function served(script: Script, cassette: Cassette, discovered?: ResultOrError): Promise<void> {
  const { client, ended, findings } = serveProcess(cassette, discovered);
  await converse(script, { client }, asLines);
  client.close();
  expect([(await ended).status, findings.filter(({ kind }) => kind === 'miss')]).toEqual([0, []]);
}

/** A server hears the lines of the client from the mock client. */
export async function driven(script: Script, cassette: Cassette): Promise<void> {
  const { server, driven: done } = driveProcess(cassette);
  await converse(script, { server }, asLines);
  await server.told('close');
  server.close();
  server.exit(0);
  const { findings, unanswered } = await done;
  expect([findings, unanswered], 'the mock client misses nothing').toEqual([[], []]);
}

/** In all three roles. */
export async function inEveryRole(script: Script): Promise<void> {
  const cassette = await recorded(script);
  await served(script, cassette);
  await driven(script, cassette);
}

/** Each side says its part; whoever is here hears the other's. */
async function converse(
  script: Script,
  ends: Partial<Record<Side, RawEnd>>,
  normal: (data: Buffer) => Buffer,
): Promise<void> {
  const said = new Map<string, Buffer>();
  for (const { from, data, on = 'protocol', piecemeal } of script) {
    const before = said.get(from + on) ?? Buffer.alloc(0);
    const all = Buffer.concat([before, normal(data)]);
    said.set(from + on, all);
    ends[from]?.write(data, on, piecemeal);
    const heard = await ends[from === 'client' ? 'server' : 'client']?.hears(all.length, on);
    // A mock says all that it can say: the rest is for what comes next.
    const part = heard?.subarray(0, all.length);
    if (part) expect(part.toString('latin1'), `what the ${from} says`).toBe(all.toString('latin1'));
  }
}

/** A cassette keeps lines, not what they end with. */
const asLines = (data: Buffer) => Buffer.from(data.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
