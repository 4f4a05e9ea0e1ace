/**
 * `npm run safety-corpora`: which descriptions of tools the `safety` rules of `lint` find, on the texts by which scanners
 * of MCP servers are tested, beside the YARA rules of Cisco's mcp-scanner. The corpora are clones in the folder that CORPORA
 * names, made there if they are missing. The YARA rules need the program `yara`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unsafeTexts } from '../dist/protocol/deceptive-text.js';
import { repository } from './corpora/repositories.js';
import { mcpScannerTexts, vulnerableServerTexts } from './corpora/tool-descriptions.js';

const TEXTS = { 'mcp-scanner': mcpScannerTexts, 'damn-vulnerable-mcp-server': vulnerableServerTexts };
const KINDS = ['hidden', 'other', 'harmless'];

console.log('| corpus | texts | labelled | found by lint | by the YARA rules of mcp-scanner |');
console.log('|---|---|---|---|---|');
let missing = 0;
for (const [name, textsOf] of Object.entries(TEXTS)) {
  try {
    const texts = textsOf(repository(name));
    for (const kind of KINDS) {
      const some = texts.filter((text) => text.kind === kind);
      if (some.length === 0) continue;
      const ours = some.filter(({ text }) => unsafeTexts({ description: text }).length > 0);
      console.log(`| ${name} | ${some.length} | ${kind} | ${ours.length} | ${foundByYara(some)} |`);
      if (process.env.SHOW) show({ name, kind, some, ours });
    }
  } catch (error) {
    missing++;
    console.error(`${name} was left out: ${error.message}`);
  }
}
process.exit(missing === 0 ? 0 : 1);

/** Prints what is missed, and the harmless texts that are found. */
function show({ name, kind, some, ours }) {
  const shown = kind === 'harmless' ? ours : some.filter((text) => !ours.includes(text));
  for (const { name: tool, text } of shown)
    console.error(`${name} ${kind} ${tool}: ${JSON.stringify(text.slice(0, 400))}`);
}

/** Returns the number of texts that a YARA rule matches, or a dash without the program. */
function foundByYara(texts) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-yara-'));
  try {
    for (const [index, { text }] of texts.entries()) writeFileSync(join(folder, `${index}.txt`), text);
    const rules = join(repository('mcp-scanner'), 'mcpscanner', 'data', 'yara_rules');
    const files = readdirSync(rules).map((file) => join(rules, file));
    const { error, status, stdout, stderr } = spawnSync('yara', ['-w', ...files, folder], { encoding: 'utf8' });
    if (error?.code === 'ENOENT') return '–';
    if (error || status !== 0) throw error ?? new Error(stderr);
    return new Set(
      stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => line.slice(line.indexOf(' ') + 1)),
    ).size;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
