import { expect, it } from 'vitest';
import type { Param } from '../../src/faults/param.ts';
import { FAULTS } from '../../src/faults/table.ts';

const HEAD = `# Faults

What a mock server or a proxy over stdio can do wrong on purpose; HTTP, and mock clients, are to come. This page is made from the code: \`npx vitest run test/faults/page -u\`.

\`\`\`console
$ mcp-record replay --fault 'cut:tools/call' tape.yaml
$ mcp-record replay --faults faults.yaml tape.yaml
$ mcp-record proxy --fault 'latency::delay=200' -- node server.js
\`\`\`

\`\`\`yaml
seed: 7                       # the same seed, the same faults
faults:
  - do: latency
    delay: 200
    when: { method: tools/call, tool: search, nth: 2 }
  - do: drop
    when: { kind: notification }
    probability: 0.3
\`\`\`

In short: \`fault\`, \`fault:method\`, or \`fault:method:name=value,name=value\`.

## When

A rule without \`when\` is about every message of the server, unless the table says otherwise. All that is there must hold:

| key | the message |
|---|---|
| \`from\` | is from \`client\` or \`server\` (default) |
| \`kind\` | is a \`request\`, \`response\` or \`notification\`; or \`end\`: the end of input, and signals |
| \`method\` | has this method, or answers a request that had it |
| \`tool\`, \`prompt\`, \`resource\` | is, answers or reports on a request that names it |
| \`at\` | has these values at these JSON Pointers: \`{ /params/name: search }\` |
| \`stream\` | came on this HTTP exchange |
| \`nth\` | is the n-th that all the above hold for |
| \`after\` | comes after so many messages of its side |

\`times\` limits how often a rule fires, \`probability\` (0 to 1) makes it chance; each rule draws from a sequence of its own. Rules
meet a message in the order of the file, each as the one before left it. Every rule that fires is said on standard error, and
so is each that never did, which is exit status 1 under \`--strict-faults\`.

## The table
`;

function cell(name: string, param: Param<unknown>): string {
  const fallback =
    'fallback' in param ? `, ${String(param.fallback).replace('Infinity', 'forever')}` : ', must be given';
  return `\`${name}\`: ${param.doc} (${param.wanted}${fallback})`.replaceAll('|', '\\|');
}

it('the page of faults is what the code says', async () => {
  const rows = [...FAULTS.values()].map(({ name, doc, grounds, params, when }) => {
    const parameters = Object.entries(params).map(([key, param]) => cell(key, param));
    const about = when ? Object.entries(when).map(([key, value]) => `\`${key}: ${value}\``) : [];
    return `| \`${name}\` | ${doc} | ${parameters.join('<br>')} | ${about.join(', ')} | ${grounds.join(', ')} |`;
  });
  const table = [
    '| fault | what happens | parameters | about, by default | where |',
    '|---|---|---|---|---|',
    ...rows,
  ];
  await expect(`${HEAD}\n${table.join('\n')}\n`).toMatchFileSnapshot('../../docs/faults.md');
});
