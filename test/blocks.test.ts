import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseCassette } from '../src/cassette/read/parse-cassette.ts';
import { normalizeBreaks } from '../src/cassette/read/source-text.ts';
import { yamlData } from '../src/cassette/read/yaml/located-data.ts';
import { COMMANDS } from '../src/cli/main.ts';
import { loadFaultRules } from '../src/fault-proxy/load-fault-rules.ts';
import { McpRecordError } from '../src/kernel/errors.ts';
import { loadAuthorizationFile } from '../src/mock/authorization/authorization-options.ts';
import { readMockFile } from '../src/mock/file/mock-file.ts';
import { loadRedactionRules } from '../src/record/redact-file/redaction-rules-file.ts';
import { loadScenario } from '../src/scenario/scenario-file.ts';
import { recordSession, server } from './e2e/verify/session.ts';
import { type Block, blocksOf, isOnWalkedPage, wordsOf } from './support/blocks.ts';
import { temporaryFolder } from './support/cassette.ts';
import { mcpRecord } from './support/command.ts';
import { readTree } from './support/house/source.ts';
import { run } from './support/process.ts';

const root = join(import.meta.dirname, '..');
const tree = readTree(root);

/** The steps of a workflow that use the action of this package. */
function actionSteps(workflow: string): { with: object }[] {
  const { jobs } = parse(workflow) as { jobs: Record<string, { steps: { uses?: string; with: object }[] }> };
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  return steps.filter(({ uses }) => uses === './node_modules/mcp-record/action');
}
const folder = temporaryFolder();
const blocks = [...tree].filter(([path]) => path.endsWith('.md')).flatMap(([path, text]) => blocksOf(path, text));
/** test/walkthrough.test.ts writes the files of these pages, and runs their commands; test/commands.test.ts runs those of the others. */
const isWalked = (block: Block) => isOnWalkedPage(block) && block.language !== 'yaml' && block.language !== 'sh';
const titled = (...languages: string[]) =>
  blocks
    .filter((block) => languages.includes(block.language) && !isWalked(block))
    .map((block): [string, Block] => [block.place, block]);

/** Reads a command line as ours; what is wrong with it is thrown. */
function readCommandLine(words: readonly string[]): void {
  const [name, ...args] = words;
  const verb = COMMANDS.find((one) => one.name === name);
  if (verb === undefined) throw new Error(`there is no verb "${name}"`);
  const command = new Command(name).exitOverride().configureOutput({ writeErr: () => {} });
  verb.describe(command).parse([...args], { from: 'user' });
}

/** The words after `mcp-record`, if a command line starts it: as itself, by npx, as an image of Docker, or as the server of `client.js`. */
function ours(words: readonly string[]): readonly string[] | undefined {
  if (/^[A-Z_]+=/.test(words[0]!)) return ours(words.slice(1));
  if (words[0] === 'node' && words[1] === 'client.js') return ours(words.slice(2));
  const isOurs = (word: string) => /^mcp-record(@\d+\.\d+\.\d+)?$/.test(word);
  const isBehind = words[0] === 'npx' || words.slice(0, 2).join(' ') === 'docker run';
  const at = isBehind ? words.findIndex(isOurs) : 0;
  return isOurs(words[at] ?? '') ? words.slice(at + 1) : undefined;
}

/** Command lines of other programs, and how it is seen that they are right. */
const scripts = Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts);
const others: [RegExp, (line: string) => void][] = [
  [/^npm (ci|test|pack)\b/, () => {}],
  // test/e2e/image carries out its steps.
  [/^docker build -t mcp-record \.$/, () => expect(existsSync(join(root, 'Dockerfile'))).toBe(true)],
  [/^mkdir -p cassettes$/, () => {}],
  [/^npm install -D (?:mcp-record|node-forge)$/, () => {}],
  [/^npx vitest run /, (line) => expect(testOf(line)).toContain(wordsOf(line).at(-1)!)],
  [
    /^node test\/fixtures\/\S+ node bin\/mcp-record\.js /,
    (line) => {
      const [, program, , , ...words] = wordsOf(line);
      expect(existsSync(join(root, program!))).toBe(true);
      readCommandLine(words);
    },
  ],
  // test/e2e/control/page.test.ts runs them.
  [/^curl -s .*http:\/\/127\.0\.0\.1:7357\//, () => {}],
  // The clients of the pages on replay over HTTP. test/e2e/http/replay-http-page.test.ts runs them.
  [/^node client\.js(?: (?:Oslo|Rome))+$/, () => {}],
  [/^curl -s http:\/\/127\.0\.0\.1:8080\/mcp /, () => {}],
  // test/cli/commands/cassettes/convert.test.ts sends the same.
  [
    /^curl -H 'content-type: application\/json' --data-binary @trace\.json http:\/\/localhost:4318\/v1\/traces$/,
    () => {},
  ],
  [/^npm run/, (line) => expect(scripts).toContain(/^npm run ([\w-]+)/.exec(line)![1])],
  [/^\.ci\/run/, () => expect(readFileSync(join(root, '.ci', 'run'), 'utf8')).toMatch(/^#!/)],
  // A viewer of others, with the port that the next line of the page sends to.
  [/^docker run --rm -d -p 16686:16686 -p 4318:4318 jaegertracing\/jaeger:\d+\.\d+\.\d+$/, () => {}],
  [/^export (?:MCP_RECORD_REDACT_RULES|NO_PROXY|password)=/, () => {}],
  [/^node --test$/, () => {}],
  // test/cli/commands/live/replay-page.test.ts runs it.
  [/^node client\.js$/, () => {}],
  // test/cli/commands/wrap-extension.test.ts unpacks such files.
  [/^npx -y @anthropic-ai\/mcpb unpack \S+ \S+$/, () => {}],
  // A program of others. test/load/k6 plays such scripts.
  [/^k6 run -e \w+=… \w+\.js$/, () => {}],
  [/^node --watch server\.js /, () => {}],
  // What git starts is ours, and gets a file.
  [
    /^git config/,
    (line) => {
      if (!line.includes('textconv') || line.includes('cachetextconv')) return;
      const [, started] = /"\$PWD\/node_modules\/\.bin\/(.*)"$/.exec(line)!;
      readCommandLine(ours([...wordsOf(started!), 'cassette.yaml'])!);
    },
  ],
];

/** The file of tests that a line of vitest runs one of. */
function testOf(line: string): string {
  return readFileSync(join(root, `${wordsOf(line)[3]}.test.ts`), 'utf8');
}

/** What nobody can read back, and why. */
const SHOWN: Record<string, string> = {
  'README.md: line  seconds     took  bytes  what': 'shortened; test/text-report/timeline-text.test.ts',
  'docs/diff-git.md: → tools/call "add"': 'printed by git',
  "docs/verify.md: --ignore-pattern 'Updated at \\d{4}-[01]\\d-[0-3]\\dT[0-2]\\d:[0-5]\\d:[0-5]\\dZ'":
    'of an imagined server; test/verify/propose/propose-ignores.test.ts',
  'docs/diff-reference.md: ~ tools/call "status": /result/content/0/text has the id of another tools/call "order": "ord_11aa22bb", not "ord_73d1f9e2" (before.yaml:80, after.yaml:81)':
    'of two imagined sessions; test/diff/corresponding-ids.test.ts',
  'docs/diff-git.md: # .gitattributes': 'read by git',
  'docs/matching.md: mcp-record: Cannot answer tools/call "search": no recorded call matches. Closest:':
    'printed by replay; test/replay/match/near-miss.test.ts',
  'docs/ui.md: mcp-record: cassettes is served at this address, which lets its holder read the sessions:':
    'with another key each time; test/cli/commands/live/ui.test.ts',
  'docs/writing-a-fault.md: McpRecordError: The mock server was not used as it should be: not all of its faults happened. [SESSION_FELL_SHORT]':
    'test/scenario/writing-a-fault.test.ts',
  'docs/verify.md: # insert at cassette.yaml:103, below the event of line 91':
    'of an imagined session; test/cli/verify/proposal-text.test.ts',
};

describe('command lines of documents', () => {
  it.each(titled('console', 'sh'))('%s has such as there are', (_, { language, text }) => {
    const lines = text.split('\n').filter((line) => (language === 'sh' ? line !== '' : line.startsWith('$ ')));
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines.map((one) => one.replace(/^\$ /, ''))) {
      const words = ours(wordsOf(line));
      const check = others.find(([start]) => start.test(line))?.[1];
      if (words) expect(() => readCommandLine(words), line).not.toThrow();
      else if (check) check(line);
      else throw new Error(`nobody knows whether this is right: ${line}`);
    }
  });

  it('are refused where an option is misspelt, or a word is missing', () => {
    expect(() => readCommandLine(['replay', '--fualt', 'cut', 'cassette.yaml'])).toThrow(/--fualt/);
    expect(() => readCommandLine(['record', '--', 'node'])).toThrow(/--output/);
    expect(() => readCommandLine(['rewind'])).toThrow(/rewind/);
  });
});

const isOfEditor = (text: string) => text.includes('"yaml.schemas"');

it.each(titled('json').filter(([, { text }]) => isOfEditor(text)))(
  '%s names a schema of the package',
  (_, { text }) => {
    const settings = JSON.parse(text) as { 'yaml.schemas': Record<string, string[]> };
    for (const file of Object.keys(settings['yaml.schemas']))
      expect(tree.get(/node_modules\/mcp-record\/(schema\/.*\.json)$/.exec(file)![1]!)).toBeDefined();
  },
);

it.each(titled('json').filter(([, { text }]) => !isOfEditor(text)))(
  '%s configures a client to start us, or to connect to us',
  (_, { text }) => {
    const { mcpServers } = JSON.parse(text) as {
      mcpServers: Record<string, { command: string; args: string[] } | { url: string }>;
    };
    for (const entry of Object.values(mcpServers)) {
      if ('url' in entry) expect(new URL(entry.url).hostname).toBe('127.0.0.1');
      else readCommandLine(ours([entry.command, ...entry.args])!);
    }
  },
);

describe('YAML of documents', () => {
  const fileOf = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  /** Some faults have a meaning over one transport only. */
  const readFaults = (file: string): void => {
    try {
      loadFaultRules(file, 'stdio');
    } catch (error) {
      if (!(error instanceof McpRecordError) || error.code !== 'FAULT_NO_MEANING') throw error;
      loadFaultRules(file, 'http');
    }
  };
  /** What a document shows, by its first key, and who reads it. Cassettes are read with the links. */
  const readers: [RegExp, (text: string) => void][] = [
    [/^(?:#.*\n)?format: mcp-record-mock/, (text) => readMockFile(fileOf('weather.mock.yaml', text))],
    [/^(?:#.*\n)?format:/, () => {}],
    // Events of a cassette.
    [/^- client:/, (text) => parseCassette(`format: mcp-record/1\nevents:\n${text}`, 'cassette.yaml')],
    [/^(?:#.*\n)?cassette:/, (text) => loadScenario(fileOf('scenario.yaml', text))],
    [/^(?:seed:.*\n)?faults:/, (text) => readFaults(fileOf('faults.yaml', text))],
    [/^scopes:/, (text) => loadAuthorizationFile(fileOf('auth.yaml', text)).settings],
    [/^redact:/, (text) => loadRedactionRules(fileOf('rules.yaml', text))],
    // A workflow: some of its commands are ours.
    [
      /^name:/,
      (text) => {
        const lines = [...text.matchAll(/- run: (npx mcp-record .*)/g)].map(([, line]) => line!);
        const own = actionSteps(text);
        expect(lines.length + own.length).toBeGreaterThan(0);
        for (const line of lines) readCommandLine(ours(wordsOf(line))!);
        const { inputs } = parse(tree.get('action/action.yml')!) as { inputs: object };
        for (const step of own) expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(step.with)));
      },
    ],
    // A step of a workflow: one of its commands, or several in a loop.
    [
      /^- run: /,
      (text) => {
        const lines = [...text.matchAll(/(npx mcp-record .*?)(?: \|\||$)/gm)].map(([, line]) => line!);
        expect(lines.length).toBeGreaterThan(0);
        for (const line of lines) readCommandLine(ours(wordsOf(line))!);
      },
    ],
    // A step that uses the action: its options are those of the command.
    [
      /^- uses: \.\/node_modules\/mcp-record\/action/,
      (text) => {
        const [step] = parse(text) as { with: { cassettes: string; options?: string } }[];
        const { inputs } = parse(tree.get('action/action.yml')!) as { inputs: object };
        expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(step!.with)));
        const { cassettes, options } = step!.with;
        readCommandLine(['check', cassettes, ...(options?.trim().split('\n') ?? [])]);
      },
    ],
    // A file of Compose: the command of our image is ours.
    [
      /^services:/,
      (text) => {
        const { services } = parse(text) as { services: Record<string, { image: string; command: string }> };
        const [own] = Object.values(services).filter(({ image }) => image === 'mcp-record');
        readCommandLine(wordsOf(own!.command));
      },
    ],
    // A file of pre-commit: its command is ours.
    [/^repos:/, (text) => readCommandLine(ours([...wordsOf(/entry: (.*)/.exec(text)![1]!), 'cassette.yaml'])!)],
    [
      /^# yaml-language-server: /,
      (text) => expect(tree.get(/mcp-record\/(schema\/.*\.json)/.exec(text)![1]!)).toBeDefined(),
    ],
  ];

  it.each(titled('yaml'))('%s is read by whom it is for', (_, { text }) => {
    expect(yamlData({ file: 'a block', text: normalizeBreaks(text), line: 1 })).toBeDefined();
    readers.find(([start]) => start.test(text))![1](text);
  });
});

describe('TypeScript of documents', () => {
  /** What the blocks take for granted, so that each is about one thing. */
  const GIVEN = `
import type { Client as SdkClient } from '@modelcontextprotocol/sdk/client/index.js';
import type { StdioClientTransport as Stdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { StreamableHTTPClientTransport as Http } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Mcp } from 'mcp-record/vitest';
declare global {
  const Client: typeof SdkClient;
  const StdioClientTransport: typeof Stdio;
  const StreamableHTTPClientTransport: typeof Http;
  const client: SdkClient;
  const server: Server;
  const createServer: () => Server;
  const callWeather: (client: SdkClient) => Promise<unknown>;
  const busy: () => never;
  const mcp: Mcp;
  const session: import('mcp-record/vitest').Session;
  const mock: import('mcp-record/mock').MemoryServer;
  const test: typeof import('node:test').test;
  const expect: typeof import('vitest').expect;
  const beforeAll: typeof import('vitest').beforeAll;
  const afterEach: typeof import('vitest').afterEach;
  const afterAll: typeof import('vitest').afterAll;
  const openSession: typeof import('mcp-record').openSession;
  const testServer: typeof import('mcp-record/vitest').testServer;
  const withMcp: typeof import('mcp-record/testing').withMcp;
}
`;
  const OPTIONS = {
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023', 'dom', 'esnext.disposable'],
    types: ['node'],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
  };
  /** The file that a block is, if other blocks import it. */
  const fileOf = ({ place, text }: Block) =>
    /^\/\/ (\S+\.ts)\n/.exec(text)?.[1] ?? `${place.replaceAll(/\W+/g, '-')}.ts`;

  it('means what it says to those who have the package', async () => {
    const packages = { msw: 'msw3', nock: 'nock15', 'mcp-record': '..' };
    for (const name of [
      'vitest',
      '@modelcontextprotocol/client',
      '@modelcontextprotocol/sdk',
      '@types/node',
      'zod',
      ...Object.keys(packages),
    ]) {
      const link = join(folder, 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(root, 'node_modules', packages[name as keyof typeof packages] ?? name), link);
    }
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'given.d.ts'), GIVEN);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS }));
    for (const block of blocks.filter(({ language }) => language === 'ts'))
      writeFileSync(join(folder, fileOf(block)), `${block.text}\nexport {};\n`);
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const { stdout } = await run({
      command: process.execPath,
      args: [tsc, '-p', folder, '--pretty', 'false'],
    });
    expect(stdout.toString()).toBe('');
  });
});

describe('what documents show without saying what it is', () => {
  const shown = titled('', 'diff').map(([place, { text }]): [string, string] => [
    [place.replace(/:\d+$/, ''), text.trimStart().split('\n', 1)[0]!].join(': '),
    text,
  ]);

  it('is printed by verify, or shown here for a reason', () => {
    const others = shown.filter(([, text]) => !text.startsWith('✗')).map(([title]) => title);
    expect(others.sort()).toEqual(Object.keys(SHOWN).sort());
  });

  it('is what verify prints, but for names, places and times', async () => {
    const cassette = join(folder, 'cassette.yaml');
    await recordSession(cassette);
    const { command, args } = server('new-required-argument');
    const { stdout } = await run(mcpRecord('verify', cassette, '--', command, ...args));
    const printed = stdout.toString().split('\n').map(shapeOf);
    const reports = shown.filter(([, text]) => text.startsWith('✗ tools/list'));
    expect(reports).toHaveLength(2);
    for (const line of reports.flatMap(([, text]) => text.trim().split('\n'))) expect(printed).toContain(shapeOf(line));
  });
});

/** A line of a report without what differs from run to run. */
function shapeOf(line: string): string {
  return line
    .replaceAll(/"[\w-]+"/g, '"…"')
    .replaceAll(/\([^()]*\.yaml:\d+\)/g, '(…)')
    .replaceAll(/\d+ ms/g, '… ms')
    .replaceAll(/line \d+/g, 'line …');
}
