import { ADVERSARIAL_UNITS, PROSE, textOf } from './adversarial-units.ts';
import { PARSERS, readWith } from './parsers.ts';
import { ROWS } from '../hostile/command-rows.ts';
import { hostileCassettes } from '../hostile/hostile-cassettes.ts';
console.log('variants', hostileCassettes('/x').length, 'rows', ROWS.length, 'commands', new Set(ROWS.map(({title})=>title.split(/[ ,]/,1)[0])).size, 'parsers', Object.keys(PARSERS).length, 'units', ADVERSARIAL_UNITS.length);
const cpu = (parser: (t: string) => unknown, text: string) => { const b = process.cpuUsage(); readWith(parser, text); const { user, system } = process.cpuUsage(b); return (user + system) / 1000; };
const until = Date.now() + 240_000;
const bad: string[] = [];
let n = 0;
const L = 4_000_000;
const pairs = Object.entries(PARSERS).flatMap(([name, p]) => ADVERSARIAL_UNITS.map((u) => [name, p, u] as const));
for (let i = pairs.length - 1, s = 7; i > 0; i--) { s = (s * 1103515245 + 12345) & 0x7fffffff; const j = s % (i + 1); [pairs[i], pairs[j]] = [pairs[j]!, pairs[i]!]; }
const prose = new Map<string, number>();
for (const [name, parser, unit] of pairs) {
  if (Date.now() > until) break;
  n++;
  const half = cpu(parser, textOf(unit, L / 2)), whole = cpu(parser, textOf(unit, L));
  if (whole > 3.2 * half && whole > 800) bad.push(`${name} ${JSON.stringify(unit)} ${half.toFixed(0)} -> ${whole.toFixed(0)} ms`);
  if (whole > 8000) bad.push(`SLOW ${name} ${JSON.stringify(unit)} ${whole.toFixed(0)} ms`);
}
console.log(n, 'of', pairs.length, 'pairs at 2 and 4 MB; rss', (process.memoryUsage().rss / 1e6) | 0, 'MB');
console.log(bad.join('\n') || 'none grows faster than its length');
