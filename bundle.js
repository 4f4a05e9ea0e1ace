/**
 * Makes the program of few files, in `dist/bin`: finding and loading a hundred modules was more than half of what a replay took
 * longer than a bare Node to start (docs/decisions/0014-the-program-is-few-files.md). The library stays as many files as it was written in.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'rolldown';

/** The scripts of the report page, the live page, the page of a load and the page that opens cassettes, for a browser: each is one file with all that it imports. */
const BUNDLED_IN_PAGE = [
  'preact',
  '@preact/signals',
  '@preact/signals-core',
  'marked',
  'diff',
  'fflate',
  '@cfworker/json-schema',
  '@noble/hashes',
  're2js',
  'yaml',
];

/** Packages that every command needs to start. All others are loaded by who needs them, from where they are installed. */
const BUNDLED = ['commander', 'picocolors'];

/** What so many parts of the program have in common, most of them commands, is one file. */
const PARTS_MIN = 14;

/** Fewer share what is needed to write cassettes and to find secrets; who needs a piece of it needs most of it. */
const WRITING_PARTS_MIN = 5;

/** Options of the command line are small files, which take longer to find than to read. */
const OPTIONS_PARTS_MIN = 4;

/** What a recorder over stdio has no use for: it starts without, since its client waits for it. */
const NOT_FOR_STDIO_RECORDING =
  /\/src\/(?:(?:replay|mock|journal|verify|fault-proxy|scenario|match|cassette\/correlate|transports\/http|kernel\/platform)\/|cassette\/read\/(?!duplicate-keys)|channel\/error-response-without-id|protocol\/(?:claimed-revision|results\/))/;

/** A replay over stdio starts without the stacks of HTTP, and without its refusals. */
const HTTP = /\/src\/(?:transports\/http\/|cassette\/correlate\/refused-requests)/;

/** Neither starts with faults where there is no rule. */
const FAULTS = /\/src\/faults\//;

/** Who replays a server follows no values that a server returns: a played client does, and a comparison. */
const RETURNED_VALUES =
  /\/src\/(?:replay\/tokens\/(?:returned-values|values-in-live-texts|ids-in-text)|match\/volatile-text-parts)/;

/** A replay writes no cassette, and finds no secrets, so it needs no hashes. */
const WRITING =
  /\/src\/(?:kernel\/platform\/sha256|(?:redact|cassette\/write)\/(?!atomic-write|cassette-file|cassette-names|plain-scalar|comparison-mask-format|replace\/placeholder-format|rules\/parse-|sent-credential))/;

/** A recorder over stdio names its cassette after it has started the server. */
const NAMES = /\/src\/cassette\/write\/cassette-names/;

/** Neither a recorder nor a replay validates anything. */
const VALIDATION = /\/src\/protocol\/schema\//;

await build({
  // The thread that sends traces is a file of its own.
  input: { main: 'src/cli/main.ts', 'trace-thread': 'src/traces/trace-thread.ts' },
  platform: 'node',
  external: (id) => !/^[./]/.test(id) && !BUNDLED.includes(id),
  plugins: [{ name: 'licences', generateBundle: emitLicences }],
  // What one command starts with another may load late.
  checks: { ineffectiveDynamicImport: false },
  output: {
    dir: 'dist/bin',
    cleanDir: true,
    chunkFileNames: '[name].js',
    comments: false,
    codeSplitting: {
      groups: [
        {
          name: 'shared',
          test: (id) =>
            ![NOT_FOR_STDIO_RECORDING, FAULTS, WRITING, NAMES, VALIDATION].some((pattern) => pattern.test(id)),
          minShareCount: PARTS_MIN,
        },
        // What starts and joins processes is one file. Lines are read by those who play, and left
        // processes are looked for by sweeps.
        { name: 'stdio', test: /\/src\/transports\/stdio\/(?!line-|leftover-)/, minShareCount: 2 },
        {
          name: 'shared-reading',
          test: (id) =>
            ![HTTP, FAULTS, WRITING, NAMES, VALIDATION, RETURNED_VALUES].some((pattern) => pattern.test(id)),
          minShareCount: PARTS_MIN,
        },
        { name: 'returned-values', test: RETURNED_VALUES, minShareCount: 2 },
        // Those that read cassettes or need TLS are no part of it: not every command does.
        {
          name: 'options',
          test: /\/src\/cli\/(?:options\/(?!ignore|trusted|mock-auth|connect-|fault-layer)|io\/(?!load))/,
          minShareCount: OPTIONS_PARTS_MIN,
        },
        { name: 'shared-faults', test: FAULTS, minShareCount: PARTS_MIN },
        { name: 'writing', test: WRITING, minShareCount: WRITING_PARTS_MIN },
      ],
    },
  },
});

for (const [input, file] of [
  ['main', 'page'],
  ['live-main', 'live'],
  ['load-main', 'load'],
  ['viewer-main', 'viewer'],
])
  await bundleForBrowser(`src/html-report/browser/${input}.tsx`, file);
// What reads cassettes, for the worker of the page that opens them.
await bundleForBrowser('src/viewer/viewer-worker.ts', 'viewer-worker');

async function bundleForBrowser(input, file) {
  await build({
    input,
    platform: 'browser',
    plugins: [
      { name: 'for-browsers', resolveId: resolveForBrowser },
      { name: 'licences', generateBundle: emitLicencesOfPage },
    ],
    transform: {
      jsx: { runtime: 'automatic', importSource: 'preact' },
      define: { 'process.env.NODE_ENV': '"production"' },
    },
    output: { file: `dist/report/${file}.js`, format: 'esm', minify: true, comments: false },
  });
}

/** Takes the module for a browser where there is one beside that for Node, and refuses modules of Node. */
function resolveForBrowser(specifier, importer) {
  if (specifier.startsWith('node:')) throw new Error(`${importer} imports ${specifier}, which no browser has.`);
  if (!specifier.startsWith('.') || !specifier.endsWith('.ts')) return null;
  const path = join(dirname(importer), specifier.replace(/\.ts$/, '-in-browser.ts'));
  return existsSync(path) ? path : null;
}

/** What is copied is copied with its licence. */
function emitLicences() {
  emitLicencesOf.call(this, BUNDLED);
}

function emitLicencesOfPage() {
  emitLicencesOf.call(this, BUNDLED_IN_PAGE);
}

function emitLicencesOf(packages) {
  const texts = packages.map((name) => `# ${name}\n\n${licenceOf(join('node_modules', name))}`);
  this.emitFile({ type: 'asset', fileName: 'LICENSES.txt', source: texts.join('\n') });
}

/** A package without a text of its licence names it, and whose it is. */
function licenceOf(folder) {
  if (existsSync(join(folder, 'LICENSE'))) return readFileSync(join(folder, 'LICENSE'), 'utf8');
  const { license, author, homepage } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `${license}, ${author.name ?? author}, ${homepage}\n`;
}
