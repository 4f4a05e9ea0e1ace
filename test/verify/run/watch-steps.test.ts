import { expect, it } from 'vitest';
import { parseCassette } from '../../../src/cassette/read/parse-cassette.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { redactStep } from '../../../src/verify/compare/redact-outcome.ts';
import { watchSteps } from '../../../src/verify/run/watch-steps.ts';
import { live } from '../live.ts';

const cassette = parseCassette(
  `format: mcp-record/1
events:
- client: { id: 1, method: tools/call, params: { name: tell-token } }
- server: { id: 1, result: { content: [{ type: text, text: token }] } }
`,
  'told.yaml',
);

it('passes each step on as it begins and ends, redacted', async () => {
  const told: unknown[] = [];
  const watch = watchSteps(
    {
      began: ({ title, line }) => told.push(['began', title, line]),
      answered: (line) => told.push(['answered', line]),
      ended: ({ status, headline }) => told.push(['ended', status, headline]),
    },
    { file: 'told.yaml' },
    (step) =>
      redactStep(
        step,
        ({ text }) => new JsonText(text.replaceAll('secret', '[redacted:x:1]').replaceAll('tell-token', 'tell')),
      ),
  );
  await live(
    cassette,
    ({ result, ...recorded }) => [{ ...recorded, result: { ...result, content: [{ type: 'text', text: 'secret' }] } }],
    watch,
  );
  expect(told).toEqual([
    ['began', 'tools/call "tell"', 3],
    ['answered', 3],
    ['ended', 'failed', expect.stringContaining('[redacted:x:1]')],
  ]);
});
