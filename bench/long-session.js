/** What the command line takes for long sessions, and for one long text: CPU and peak memory of each command. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cassetteOf } from './cassettes.js';

export const name = 'long-session';
export const isOnRequest = true;

const program = join(import.meta.dirname, '..', 'bin', 'mcp-record.js');
const TOLD = 'used:';
/** A child says as it ends what it has used: CPU in ms, and peak memory in MB. */
const PRELOAD = `data:text/javascript,${encodeURIComponent(`
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    process.stderr.write('${TOLD}' + JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1000, peak: maxRSS / 1024 }));
  });
`)}`;

export async function run({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-bench-'));
  const size = quick ? 0.05 : 1;
  const cassette = (file, calls, text = '') => {
    const path = join(folder, file);
    const result = (n) => ({ content: [{ type: 'text', text: `result ${n}${n % 10 ? '' : text}` }] });
    writeFileSync(path, cassetteOf(calls * size, { params: (id) => ({ name: 'add', arguments: { id } }), result }));
    return path;
  };
  try {
    const [shown, long, other] = [
      cassette('60.yaml', 60_000),
      cassette('100.yaml', 100_000),
      cassette('other.yaml', 100_000, '!'),
    ];
    const wide = join(folder, 'wide.yaml');
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: '漢'.repeat(2_000_000 * size) });
    writeFileSync(wide, `format: mcp-record/1\ntransport: stdio\nevents:\n- client: ${message}\n`);
    const page = join(folder, 'page.html');
    return [
      ...rows('60,000 calls: show', 'show', shown),
      ...rows('60,000 calls: show --json', 'show', '--json', shown),
      ...rows('a method of 2,000,000 wide letters: show', 'show', wide),
      ...rows('100,000 calls: report', 'report', '-o', page, long),
      ...rows('100,000 calls, 10,000 of them other: diff', 'diff', long, other),
    ].map((row) => (quick ? { ...row, what: `${row.what} (a twentieth)` } : row));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function rows(what, ...args) {
  const { stderr } = spawnSync(process.execPath, ['--import', PRELOAD, program, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  const { cpu, peak } = JSON.parse(stderr.slice(stderr.lastIndexOf(TOLD) + TOLD.length));
  return [
    { what: `${what}, CPU`, unit: 'ms', values: { 'mcp-record': cpu } },
    { what: `${what}, peak memory`, unit: 'MB', values: { 'mcp-record': peak } },
  ];
}
