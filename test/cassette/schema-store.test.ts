import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { minimatch } from 'minimatch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { program } from '../support/command.ts';
import { readTree } from '../support/house/source.ts';
import { LanguageServer } from '../support/language-server.ts';
import { recentNode } from '../support/recent-node.ts';

const root = join(import.meta.dirname, '..', '..');
const schema = (name: string) => JSON.parse(readFileSync(join(root, 'schema', name), 'utf8'));
const entry = schema('schema-store.json') as { name: string; description: string; fileMatch: string[]; url: string };
const tree = readTree(root);

/** What https://json.schemastore.org/schema-catalog.json demands of an entry. */
const CATALOG_ENTRY = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'url', 'description'],
  properties: {
    name: { type: 'string' },
    description: { type: 'string' },
    fileMatch: { type: 'array', uniqueItems: true, items: { type: 'string' } },
    url: { type: 'string', pattern: '^https://' },
    versions: { type: 'object', additionalProperties: { type: 'string', pattern: '^https://' } },
  },
};

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, strictRequired: false, strictTypes: false });
for (const name of ['cassette-1.json', 'mock-1.json', 'scenario-1.json']) {
  ajv.addSchema(schema(name), `https://unpkg.com/mcp-record/schema/${name}`);
}
const validate = ajv.compile(schema('file-1.json'));

/** Files in YAML of this repository, by what they are. */
const files = [...tree].filter(([path]) => /\.ya?ml$/.test(path));
const isOurs = (text: string) => /^format: ['"]?mcp-record(?:-mock)?\//m.test(text) || /^cassette: /m.test(text);
const isMatched = (path: string) => entry.fileMatch.some((pattern) => minimatch(path, pattern, { dot: true }));

describe('the entry for the catalog of SchemaStore', () => {
  it('has the shape that the catalog demands', () => {
    expect(ajv.validate(CATALOG_ENTRY, entry)).toBe(true);
    expect(ajv.validate(CATALOG_ENTRY, { ...entry, url: 'http://example.com' })).toBe(false);
    expect(ajv.validate(CATALOG_ENTRY, { ...entry, schema: 'x' })).toBe(false);
  });

  it('names a schema that is in the package', () => {
    expect(schema(entry.url.replace('https://unpkg.com/mcp-record/schema/', '')).$id).toBe(entry.url);
    const { files: packed } = JSON.parse(tree.get('package.json')!) as { files: string[] };
    expect(packed).toContain('schema');
  });

  it('matches each cassette and mock file of this repository, but for those with names of their own', () => {
    const ours = files.filter(([, text]) => isOurs(text)).map(([path]) => path);
    expect(ours.length).toBeGreaterThan(20);
    const OWN_NAMES = /^(?:bench\/field|test\/browser\/sessions)\/|^test\/fixtures\/sampling\.yaml$/;
    expect(ours.filter((path) => !isMatched(path) && !OWN_NAMES.test(path))).toEqual([]);
  });

  it('matches scenarios as the pages and shrink name them', () => {
    for (const path of ['scenario.yaml', 'small/scenario.yaml', 'scenarios/plain.yaml', 'a/cut.scenario.yaml'])
      expect(isMatched(path)).toBe(true);
  });

  it('matches nothing else of this repository', () => {
    const others = files.filter(([, text]) => !isOurs(text)).map(([path]) => path);
    expect(others).toContain('action/action.yml');
    expect(others.filter(isMatched)).toEqual([]);
  });
});

const MOCK = 'format: mcp-record-mock/1\ntools:\n- name: a\n  answers:\n  - returns: b\n';
const SCENARIO = 'cassette: a.yaml\nplay: server\nexpect:\n- call: tools/call\n  ends: fails\n';
/** A cassette of vcrpy, in a folder that is called the same. */
const OF_OTHERS =
  'interactions:\n- request:\n    method: GET\n    uri: http://example.com\n  response: {}\nversion: 1\n';
const cassette = tree.get('cassettes/memory.yaml')!;

/** Damaged files, with the line of the damage and a part of what the editor says. */
const DAMAGED: [title: string, text: string, line: number, says: RegExp][] = [
  [
    'a cassette of a format that is not known',
    cassette.replace('mcp-record/1\nrecorder', 'mcp-record/2\nrecorder'),
    2,
    /mcp-record\/1/,
  ],
  ['a cassette with a misspelt key', cassette.replace('\ntransport:', '\ntransprot:'), 5, /transprot/],
  ['an event with a misspelt key', cassette.replace(/\n {2}after: 200\n/, '\n  afer: 200\n'), 24, /afer/],
  ['a mock file with a misspelt key', MOCK.replace('answers:', 'answer:'), 4, /answer/],
  ['a scenario with a misspelt key', SCENARIO.replace('play: server', 'play: sever'), 2, /client|server/],
];

describe('the schema of any file', () => {
  it.each(files.filter(([, text]) => isOurs(text)))('takes %s', (_, text) => {
    validate(parse(text));
    expect(validate.errors).toBeNull();
  });

  it('takes scenarios, mock files, and files of other programs', () => {
    for (const text of [MOCK, SCENARIO, OF_OTHERS, '', 'a', '- a']) expect(validate(parse(text))).toBe(true);
  });

  it.each(DAMAGED)('refuses %s', (_, text) => {
    expect([MOCK, SCENARIO, cassette]).not.toContain(text);
    expect(validate(parse(text))).toBe(false);
  });
});

describe('yaml-language-server with a catalog that has the entry', () => {
  let server: LanguageServer;
  const asked: string[] = [];
  // The catalog and the schemas, as SchemaStore and the package's address serve them.
  const http = createServer((request, response) => {
    const { url = '' } = request;
    asked.push(url);
    const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    const text =
      url === '/catalog.json'
        ? JSON.stringify({ version: 1, schemas: [{ ...entry, url: `${origin}/schema/file-1.json` }] })
        : tree.get(url.slice(1))?.replaceAll('https://unpkg.com/mcp-record', origin);
    response.writeHead(text === undefined ? 404 : 200, { 'Content-Type': 'application/json' }).end(text);
  });

  beforeAll(async () => {
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    const { port } = http.address() as AddressInfo;
    const yaml = {
      validate: true,
      completion: true,
      schemaStore: { enable: true, url: `http://127.0.0.1:${port}/catalog.json` },
    };
    const { args } = program('yaml-language-server', 'bin/yaml-language-server', '--stdio');
    const language = { command: recentNode(22), args };
    server = await LanguageServer.start(language, { yaml, http: {}, '[yaml]': {}, editor: {}, files: {} });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    http.close();
  });

  const problems = async (path: string, text: string) => await server.open(`file:///project/${path}`, text);

  it('shows no problem in good files', async () => {
    expect(await problems('cassettes/memory.yaml', cassette)).toEqual([]);
    expect(await problems('weather.mock.yaml', MOCK)).toEqual([]);
    expect(await problems('scenario.yaml', SCENARIO)).toEqual([]);
    expect(await problems('tests/cassettes/vcr.yaml', OF_OTHERS)).toEqual([]);
    expect(asked).toContain('/schema/cassette-1.json');
  });

  it.each(DAMAGED)('shows at its line what is wrong with %s', async (title, text, line, says) => {
    const shown = await problems(`cassettes/${title.replaceAll(' ', '-')}.yaml`, text);
    expect(shown.map(({ range }) => range.start.line + 1)).toContain(line);
    expect(shown.map(({ message }) => message).join('\n')).toMatch(says);
  });

  it('shows nothing in a file of another name', async () => {
    const [, text] = DAMAGED[1]!;
    expect(await problems('other.yaml', text)).toEqual([]);
  });

  it('proposes the keys of an event', async () => {
    const uri = 'file:///project/cassettes/new.yaml';
    await server.open(uri, 'format: mcp-record/1\nevents:\n- \n');
    const position = { line: 2, character: 2 };
    const { items } = (await server.ask('textDocument/completion', { textDocument: { uri }, position })) as {
      items: { label: string }[];
    };
    expect(items.map(({ label }) => label)).toEqual(expect.arrayContaining(['client', 'server', 'after']));
  });
});
