/**
 * A corpus of what MCP servers answer, by kind, made from seeds: the same every time. Each kind is a function that makes one more piece of
 * such a text with the help of chance.
 */
import { chanceOf } from './chance.js';
import { CJK, ERRORS, FUNCTIONS, LOREM, SENTENCES, up, WORDS } from './seeds.js';

const BASE62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export const KINDS = {
  lorem: () => `${LOREM}\n`,
  prose: ({ one, below }) => one(SENTENCES) + (below(4) === 0 ? '\n\n' : ' '),
  Markdown: markdown,
  code: ({ one }) => one(FUNCTIONS)(one(WORDS), one(WORDS), one(WORDS)),
  'JSON in a text': json,
  'logs with hashes': logLine,
  'minified script': minified,
  'letters without a blank': ({ letters }) => letters(BASE62, 64),
  'base64 image': ({ letters }) => letters(`${BASE62}+/`, 64),
  tables: ({ one, hex, below }) =>
    `| ${below(10_000)} | ${one(WORDS)} ${one(WORDS)} | ${(below(1e6) / 100).toFixed(2)} | 2026-0${1 + below(9)}-1${below(10)} | ${hex(8)} |\n`,
  'Chinese, Japanese, Korean': ({ one }) => `${one(CJK)}\n`,
  'error traces': trace,
};

function markdown({ one, below }) {
  const word = one(WORDS);
  return one([
    `## ${up(word)} ${one(WORDS)}\n\n`,
    `${one(SENTENCES)} See [the ${word}](https://example.org/docs/${word}/${one(WORDS)}.html#${one(WORDS)}).\n\n`,
    `- **${up(word)}**: ${one(SENTENCES)}\n- \`${word}.${one(WORDS)}()\` returns ${below(100)}.\n\n`,
    `\`\`\`js\nimport { ${word} } from '${one(WORDS)}';\nawait ${word}({ ${one(WORDS)}: ${below(100)} });\n\`\`\`\n\n`,
  ]);
}

function json({ one, below, uuid }) {
  const record = {
    id: uuid(),
    [one(WORDS)]: one(SENTENCES),
    [one(WORDS)]: { [one(WORDS)]: below(100_000), [one(WORDS)]: [one(WORDS), one(WORDS), null, below(2) === 1] },
    created_at: `2026-05-${10 + below(20)}T0${below(10)}:${10 + below(50)}:00Z`,
    url: `https://api.example.org/${one(WORDS)}s/${below(10_000)}`,
  };
  return `${JSON.stringify(record, undefined, below(2) * 2)}\n`;
}

function logLine({ one, below, hex, uuid }) {
  const time = `2026-05-${10 + below(20)}T0${below(10)}:${10 + below(50)}:${10 + below(50)}.${100 + below(900)}Z`;
  const [a, b] = [one(WORDS), one(WORDS)];
  return one([
    `${time} INFO  [${a}-${below(20)}] ${b} ${uuid()} took ${below(900)}ms\n`,
    `${time} DEBUG commit ${hex(40)} ${a}/${b}.ts (+${below(100)} -${below(90)})\n`,
    `${time} WARN  [${a}] checksum sha256:${hex(64)} of ${b}.tar.gz differs\n`,
    `${time} INFO  GET /${a}s/${below(10_000)} 200 trace=${hex(32)} span=${hex(16)}\n`,
  ]);
}

function minified({ letters, one, below }) {
  const [a, b, c] = [0, 0, 0].map(() => letters('abcdefghijklmnopqrstuvwxyz', 1));
  return one([
    `function ${a}(${b},${c}){return ${b}.${one(WORDS)}?${c}[${below(90)}]:null!=${b}&&${a}(${b}-1,${c})}`,
    `var ${a}=${b}=>${c}.${one(WORDS)}(${b}.${one(WORDS)},{key:"${one(WORDS)}",${one(WORDS)}:!0});`,
    `${a}.prototype.${one(WORDS)}${up(one(WORDS))}=function(){this.${b}=void 0,this.${one(WORDS)}=${below(1_000)}};`,
    `if(${a}!==${b}&&"${one(WORDS)}"in ${c})throw Error(${letters(BASE62, 2)}(${below(500)},${a}));`,
  ]);
}

function trace({ one, below }) {
  const frames = Array.from({ length: 3 + below(6) }, () =>
    one([
      `    at ${one(WORDS)}${up(one(WORDS))} (/app/node_modules/${one(WORDS)}/dist/${one(WORDS)}.js:${below(900)}:${below(80)})\n`,
      `  File "/usr/lib/python3.12/${one(WORDS)}/${one(WORDS)}.py", line ${below(900)}, in ${one(WORDS)}\n`,
      `\tat org.example.${one(WORDS)}.${up(one(WORDS))}.${one(WORDS)}(${up(one(WORDS))}.java:${below(900)})\n`,
    ]),
  );
  return `${one(ERRORS)} (reading '${one(WORDS)}')\n${frames.join('')}`;
}

/** A longer text repeats what it begins with. */
const MADE_BYTES = 256 * 1024;

/** A text of a kind that has so many bytes in UTF-8, or as few less as its last character has; other ones with other seeds. */
export function textOf(kind, bytes, seed = 1) {
  const chance = chanceOf(seed);
  const pieces = [];
  for (let size = 0; size < Math.min(bytes, MADE_BYTES); size += Buffer.byteLength(pieces.at(-1)))
    pieces.push(KINDS[kind](chance));
  const whole = Buffer.alloc(bytes + 1, pieces.join(''));
  let end = bytes;
  while ((whole[end] & 0xc0) === 0x80) end--;
  return whole.toString('utf8', 0, end);
}
