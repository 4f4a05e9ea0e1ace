import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { type CassetteStream, streamCassette, streamChunks } from '../../../src/cassette/read/stream-cassette.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { SESSION } from '../session.ts';

const folder = temporaryFolder();

function fileOf(name: string, text: string | Uint8Array): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

async function readAll(stream: CassetteStream) {
  const events = [];
  for await (const event of stream.events) events.push(event);
  return { ...stream, events };
}

async function* cut(bytes: Uint8Array, ...at: number[]) {
  for (const [index, end] of [...at, bytes.length].entries()) yield bytes.subarray(at[index - 1] ?? 0, end);
}

async function* chunks(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

describe('a streamed cassette', () => {
  const bytes = Buffer.from(SESSION);

  it('is the loaded one, wherever its bytes were cut', async () => {
    const file = fileOf('session.yaml', SESSION);
    const loaded = loadCassette(file);
    expect(await readAll(await streamCassette(file))).toEqual(loaded);
    for (let at = 0; at <= bytes.length; at++)
      expect(await readAll(await streamChunks(cut(bytes, at), file))).toEqual(loaded);
    const everywhere = Array.from({ length: bytes.length }, (_, at) => at);
    expect(await readAll(await streamChunks(cut(bytes, ...everywhere), file))).toEqual(loaded);
  });

  it.each([
    ['torn', SESSION.slice(0, -40)],
    ['torn in its header', SESSION.slice(0, 80)],
    ['written by hand', 'format: mcp-record/1\nevents:\n- client:\n    method: ping\n- close: client\n'],
    ['of another shape', '{"format":"mcp-record/1","events":[{"close":"client"}]}'],
    ['with an alias at its end', SESSION.replace('- end: complete', '- client: &m []\n- client: *m\n- end: complete')],
  ])('is the loaded one when it is %s', async (name, text) => {
    const file = fileOf(`${name}.yaml`, text);
    expect(await readAll(await streamCassette(file))).toEqual(loadCassette(file));
  });

  it('gives no event twice when it has to be loaded after all', async () => {
    const aliases = '- client: &m []\n- client: *m\n- end: complete\n';
    const before = SESSION.replace('- end: complete\n', '');
    const file = fileOf('aliases.yaml', before + aliases);
    expect(await readAll(await streamChunks(chunks(`${before}- `, aliases.slice(2)), file))).toEqual(
      loadCassette(file),
    );
  });

  it('gives what stands before the damage, then the error of the loaded one', async () => {
    const [before, after] = SESSION.split('- stderr', 2) as [string, string];
    const damage = `- stderr: "\n- stderr${after}`;
    const file = fileOf('damaged.yaml', before + damage);
    const { events } = await streamChunks(chunks(`${before}- `, damage.slice(2)), file);
    expect((await events.next()).value?.line).toBe(7);
    const error = await events.next().then(undefined, (thrown: Error) => thrown);
    expect(() => loadCassette(file)).toThrow((error as Error).message);
  });

  it('closes its source when its events are not read to the end, and where it is loaded as a whole', async () => {
    let closed = 0;
    async function* source(text: string) {
      try {
        yield Buffer.from(text);
        yield Buffer.from('- client: {}\n');
      } finally {
        closed++;
      }
    }
    const { events } = await streamChunks(source(SESSION.slice(0, -40)), fileOf('early.yaml', SESSION));
    for await (const _ of events) break;
    expect(closed).toBe(1);
    const byHand = 'format: mcp-record/1\nevents:\n- client:\n    method: ping\n- close: client\n';
    await streamChunks(source(byHand), fileOf('by-hand.yaml', byHand));
    expect(closed).toBe(2);
  });

  it('must be there', async () => {
    await expect(streamCassette(join(folder, 'none.yaml'))).rejects.toThrow('CASSETTE_NOT_FOUND');
    await expect(streamCassette(folder)).rejects.toThrow('CASSETTE_IS_DIRECTORY');
    await expect(streamCassette(fileOf('empty.yaml', ''))).rejects.toThrow('CASSETTE_EMPTY');
  });
});
