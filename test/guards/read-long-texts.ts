import { ADVERSARIAL_UNITS, OTHER_PROSE, PROSE, textOf, YAML_PROSE } from './adversarial-units.ts';
import { PARSERS, readWith, YAML_PARSERS } from './parsers.ts';

/**
 * Reads adversarial texts with one parser, in a process of its own: `node read-long-texts.js PARSER LENGTH…`. Prints a line
 * of JSON before each text, and for each text that takes too much time of a processor.
 */

/** How many times the time for a byte of prose a byte of a hostile text may take. */
const FACTOR_MAX = 5;
/** Time of a processor that is not compared: garbage is collected, and code compiled, at moments of its own. */
const SPARED_MS = 200;
/** Time for a byte of prose, where a search of the engine skips it, in milliseconds. Each credential takes more. */
const PER_BYTE_MIN = 300e-6;
/** How often a text is read again that took too much. */
const ATTEMPTS = 3;

/** Parsers that do what the guard is there to find. */
const PLANTED: Readonly<Record<string, (text: string) => unknown>> = {
  'planted: quadratic time': (text) => text.replace(/(?:\[+)$x/, ''),
  'planted: memory': (text) => (text.startsWith('x') ? Array.from({ length: 150 }, () => [...text]) : undefined),
};

const [, , name = '', ...lengths] = process.argv;
const parser = PARSERS[name] ?? PLANTED[name]!;
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

function timeOf(text: string): number {
  const before = process.cpuUsage();
  readWith(parser, text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

for (const length of lengths.map(Number)) {
  const prose = [PROSE, OTHER_PROSE, ...(YAML_PARSERS.has(name) ? [YAML_PROSE] : [])].map((unit) =>
    textOf(unit, length),
  );
  say({ unit: 'prose', length });
  const inProse = Math.max(PER_BYTE_MIN * length, ...[...prose, ...prose].map(timeOf));
  for (const unit of ADVERSARIAL_UNITS) {
    say({ unit, length });
    const text = textOf(unit, length);
    // A control character is one character, and six in JSON.
    const size = Math.max(1, JSON.stringify(text).length / JSON.stringify(prose[0]).length);
    const max = FACTOR_MAX * size * inProse + SPARED_MS;
    let time = timeOf(text);
    for (let attempt = 1; time > max && attempt < ATTEMPTS; attempt++) time = Math.min(time, timeOf(text));
    if (time > max) say({ costly: unit, length, time: Math.round(time), prose: Math.round(inProse) });
  }
}
say({ peak: process.resourceUsage().maxRSS });
