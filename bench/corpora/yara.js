/** The YARA rules of Cisco's mcp-scanner. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from './repositories.js';

/** Returns the texts that a YARA rule matches, each with the names of its rules, or undefined without the program `yara`. */
export function foundByYara(texts) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-yara-'));
  try {
    for (const [index, { text }] of texts.entries()) writeFileSync(join(folder, `${index}.txt`), text);
    const rules = join(repository('mcp-scanner'), 'mcpscanner', 'data', 'yara_rules');
    const files = readdirSync(rules).map((file) => join(rules, file));
    const { error, status, stdout, stderr } = spawnSync('yara', ['-w', ...files, folder], { encoding: 'utf8' });
    if (error?.code === 'ENOENT') return undefined;
    if (error || status !== 0) throw error ?? new Error(stderr);
    return textsOfMatches({ texts, folder, lines: stdout.split('\n').filter(Boolean) });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Reads lines of `RULE FOLDER/INDEX.txt`. */
function textsOfMatches({ texts, folder, lines }) {
  const rulesOf = new Map();
  for (const line of lines) {
    const [rule, file] = line.split(` ${folder}/`);
    const index = Number.parseInt(file, 10);
    rulesOf.set(index, [...(rulesOf.get(index) ?? []), rule]);
  }
  return [...rulesOf].sort(([a], [b]) => a - b).map(([index, rules]) => ({ ...texts[index], rules }));
}
