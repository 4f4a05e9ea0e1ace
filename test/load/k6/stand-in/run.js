// Plays a script as one user of k6: `run.js SCRIPT ITERATIONS`, with the environment as `__ENV`. Prints its checks and thresholds as JSON.
const [, , script, iterations] = process.argv;
globalThis.__ENV = process.env;
globalThis.__VU = 1;

const { default: api, checks, samples } = await import('./k6.js');
const began = performance.now();
const { default: play, options } = await import(script);
for (let n = 0; n < Number(iterations); n++) {
  globalThis.__ITER = n;
  api.scenario.iterationInTest = n;
  play();
}
const seconds = (performance.now() - began) / 1_000;

/** Parses the selector of a threshold as k6 does: parts at commas, and quotes and blanks around names and values dropped. */
function parsedSelector(selector) {
  const [, metric, inner] = /^(\w+)(?:\{(.*)\})?$/.exec(selector);
  const tags = (inner ?? '')
    .split(',')
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf(':');
      return [part.slice(0, at), part.slice(at + 1)].map((text) => text.replace(/^["']+|["']+$/g, '').trim());
    });
  return { metric, tags };
}

function aggregate(name, values) {
  const sorted = [...values].sort((a, b) => a - b);
  const sum = values.reduce((all, value) => all + value, 0);
  const [, part] = /^p\((.+)\)$/.exec(name) ?? [];
  if (part !== undefined) return sorted[Math.max(0, Math.ceil((Number(part) / 100) * sorted.length) - 1)] ?? 0;
  return { avg: sum / (values.length || 1), max: sorted.at(-1) ?? 0, count: sum }[name];
}

const RATES = new Set(['mcp_failed']);
const compare = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '==': (a, b) => a === b,
};
const thresholds = {};
for (const [selector, conditions] of Object.entries(options.thresholds)) {
  const { metric, tags } = parsedSelector(selector);
  const values = samples
    .filter((one) => one.metric === metric && tags.every(([name, value]) => one.tags[name] === value))
    .map(({ value }) => value);
  for (const condition of conditions) {
    const [, name, operator, value] = /^(p\([\d.]+\)|avg|max|count|rate)(<=?|>=?|==)([\d.]+)$/.exec(condition);
    const mean = aggregate('avg', values);
    const actual =
      name === 'rate' ? (RATES.has(metric) ? mean : aggregate('count', values) / seconds) : aggregate(name, values);
    thresholds[`${selector} ${condition}`] = compare[operator](actual, Number(value));
  }
}
process.stdout.write(JSON.stringify({ checks, thresholds }));
process.exit(Object.values(thresholds).every(Boolean) ? 0 : 99);
