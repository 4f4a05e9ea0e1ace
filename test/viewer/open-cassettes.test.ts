import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { loadCassette } from '../../src/cassette/read/load-cassette.ts';
import { buildReport } from '../../src/html-report/data/build-report-data.ts';
import type { OpenProgress } from '../../src/html-report/data/viewer/viewer-messages.ts';
import { openCassettes, VIEWER_BYTES_MAX } from '../../src/viewer/open-cassettes.ts';

const cassettes = join(import.meta.dirname, '..', '..', 'cassettes');
const head = 'format: mcp-record/1\ntransport: stdio\nevents:\n';

function file(name: string, text: string | Uint8Array<ArrayBuffer>): File {
  return new File([text], name);
}

const ofDisk = (name: string) => file(name, new Uint8Array(readFileSync(join(cassettes, name))));

async function opened(...files: Parameters<typeof openCassettes>[0]) {
  const steps: OpenProgress[] = [];
  return { ...(await openCassettes(files, (progress) => steps.push(progress))), steps };
}

it('one cassette is the report of the command line, and its reading is reported', async () => {
  const { views, problems, steps } = await opened(ofDisk('memory.yaml'));
  const path = join(cassettes, 'memory.yaml');
  const cassette = { ...loadCassette(path), file: basename(path) };
  expect(views).toEqual(buildReport([cassette]).views);
  expect(problems).toEqual([]);
  expect(steps.map(({ doing, done }) => [doing, done])).toEqual([
    ['Reading memory.yaml', 0],
    ['Reading memory.yaml', 1],
    ['Drawing', undefined],
  ]);
});

it('of several, the oldest is the first, whatever their order', async () => {
  const [older, newer] = [ofDisk('client-2-default.yaml'), ofDisk('client-2-auto.yaml')];
  const titles = ['client-2-default.yaml → client-2-auto.yaml', older.name, newer.name];
  for (const files of [
    [older, newer],
    [newer, older],
  ]) {
    const { views } = await opened(...files);
    expect(views.map(({ title }) => title)).toEqual(titles);
    expect(views.map(({ warnings }) => warnings.length)).toEqual([1, 0, 0]);
  }
});

it('a removed tool is a difference that breaks callers', async () => {
  const listed = (recorded: string, ...names: string[]) => {
    const tools = names.map((name) => ({ name, inputSchema: { type: 'object' } }));
    const said = { id: 1, result: { tools } };
    const events = `- client: {"id":1,"method":"tools/list"}\n- server: ${JSON.stringify(said)}\n`;
    return file(`${names.length}.yaml`, `${head.replace('events', `recorded: ${recorded}\nevents`)}${events}`);
  };
  const { views } = await opened(listed('2026-01-02T00:00:00Z', 'a'), listed('2026-01-01T00:00:00Z', 'a', 'b'));
  expect(views[0]?.title).toBe('2.yaml → 1.yaml');
  expect(JSON.stringify(views[0])).toContain('breaking: tool \\"b\\" was removed');
});

it('what cannot be opened is named beside what can', async () => {
  const { views, problems } = await opened(
    file('a.yaml', 'hello: 1\n'),
    ofDisk('memory.yaml'),
    file('b.yaml', `${head}- x: 1\n`),
  );
  expect(views.map(({ title }) => title)).toEqual(['memory.yaml']);
  expect(problems.map(({ code, place }) => [code, place?.file, place?.line])).toEqual([
    ['CASSETTE_NOT_RECOGNIZED', 'a.yaml', 1],
    ['CASSETTE_BAD_EVENT', 'b.yaml', 4],
  ]);
});

it('a file of the largest size is read, one of a byte more is not', async () => {
  const sized = (size: number) => ({ name: 'a.yaml', size, arrayBuffer: async () => new ArrayBuffer(0) });
  const codes = async (size: number) => (await opened(sized(size))).problems.map(({ code }) => code);
  expect(await codes(VIEWER_BYTES_MAX)).toEqual(['CASSETTE_EMPTY']);
  expect(await codes(VIEWER_BYTES_MAX + 1)).toEqual(['CASSETTE_TOO_LARGE']);
});

it('a file that is gone since it was chosen is one that cannot be read', async () => {
  const gone = { name: 'a.yaml', size: 1, arrayBuffer: () => Promise.reject(new Error('it has changed')) };
  const { problems } = await opened(gone);
  expect(problems.map(({ code, why }) => [code, why])).toEqual([['CASSETTE_UNREADABLE', 'it has changed']]);
});
