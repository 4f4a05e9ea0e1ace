/**
 * Makes the program of few files, in `dist/bin`: finding and loading a hundred modules was more than half of what a replay took
 * longer than a bare Node to start (docs/decisions/0014-the-program-is-few-files.md). The library stays as many files as it was written in.
 */
import { readFileSync } from 'node:fs';
import { build } from 'rolldown';

/** Packages that every command needs to start. All others are loaded by who needs them, from where they are installed. */
const BUNDLED = ['commander', 'picocolors'];

/** What so many parts of the program have in common, most of them commands, is one file. */
const PARTS_MIN = 8;

await build({
  input: 'src/cli/main.ts',
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
    codeSplitting: { groups: [{ name: 'shared', minShareCount: PARTS_MIN }] },
  },
});

/** What is copied is copied with its licence. */
function emitLicences() {
  const texts = BUNDLED.map((name) => `# ${name}\n\n${readFileSync(`node_modules/${name}/LICENSE`, 'utf8')}`);
  this.emitFile({ type: 'asset', fileName: 'LICENSES.txt', source: texts.join('\n') });
}
