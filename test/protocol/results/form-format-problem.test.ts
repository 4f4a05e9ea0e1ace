import { expect, it } from 'vitest';
import { clientResultProblem } from '../../../src/protocol/results/client-result-problem.ts';

/** What is wrong with a text for a form whose property has this format. */
function problem(format: string, value: unknown): string | undefined {
  const requestedSchema = { type: 'object', properties: { value: { type: 'string', format } } };
  const params = { message: 'Which?', requestedSchema };
  return clientResultProblem(
    { jsonrpc: '2.0', id: 1, method: 'elicitation/create', params },
    { action: 'accept', content: { value } },
  );
}

it.each([
  ['email', 'nope'],
  ['email', 'ann @acme.example'],
  ['uri', 'acme'],
  ['date', '2026-13-01'],
  ['date', '1 December 2026'],
  ['date-time', '2026-12-01'],
  ['date-time', '2026-12-01T25:00:00Z'],
  ['date', '2026-02-30'],
  ['date', '2025-02-29'],
  ['date-time', '2026-02-28T10:00'],
  ['date-time', '2026-02-28T10:00:00'],
  ['date-time', '2026-02-30T10:00:00Z'],
])('a form with a %s gets no %j', (format, value) => {
  expect(problem(format, value)).toBe(`its content has value ${JSON.stringify(value)}, which is no ${format}`);
});

it.each([
  ['email', 'ann+mcp@mail.acme.example'],
  ['email', 'jörg@münchen.example'],
  ['uri', 'urn:isbn:0451450523'],
  ['uri', 'https://acme.example/a?b=c'],
  ['date', '2026-12-01'],
  ['date-time', '2026-12-01T09:00:00.5+01:00'],
  ['date-time', '2026-12-01t09:00:00z'],
  ['date-time', '2026-12-31T23:59:60Z'],
  ['date', '2028-02-29'],
  ['acme-number', 'nope'],
])('a form with a %s gets %j', (format, value) => {
  expect(problem(format, value)).toBeUndefined();
});
