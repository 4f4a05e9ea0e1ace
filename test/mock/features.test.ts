import { expect, it } from 'vitest';
import { FEATURES } from './features.ts';

it.each(FEATURES)('$title', ({ prove }) => prove());

const HEAD = `# As a mocking tool

This page compares mcp-record with MSW 2, WireMock 3, aimock 1.43 (its MCP mock) and Playwright 1, by their own documentation in November 2026. Each row of mcp-record is
tested: \`npx vitest run test/mock/features.test.ts\`. MSW, WireMock and Playwright mock HTTP, which MCP can use. aimock mocks AI services, among them MCP over HTTP.
Its recording and its faults are for calls of models, and did not act on its MCP mock.
[Comparison with other tools](comparison.md) compares recorders for MCP.

| | MSW | WireMock | aimock | Playwright | mcp-record |
|---|---|---|---|---|---|
`;

const TAIL = `
## Mock servers for MCP

| | aimock | mcp-stub | MockForge |
|---|---|---|---|
| version looked at | 1.43.0, run on 2026-11-26 | its page names none; npm did not find the package | 0.3.199 (documentation and sources) |
| runs as | a library or a command for Node | a library for Node | a program in Rust |
| transports | HTTP | HTTP, in memory | HTTP |
| protocol revision | 2025-03-26 | not verified | 2024-11-05 |
| answers | functions, or a text in a file | a list of steps for each tool | one text for each tool |
| failures | a tool error | errors, delays, hangs, malformed results, dropped connections, at a chosen call | a tool error; others not verified |
| assertions | a list of requests, if mounted | which tools, how often, in what order, with what arguments | – |
| progress, questions, changes of lists | – | not verified | – |
| recording | – | not verified | – |
| use it if | you mock the model and MCP on one port | a few lines of steps in the test are enough | it already mocks your other APIs |

Others exist that we did not look at: mcpstub, mcp-mock and MockServer 7.
`;

it('the page has each of them', async () => {
  const rows = FEATURES.map(
    ({ title, msw, wireMock, aimock, playwright, ours }) =>
      `| ${[title, msw, wireMock, aimock, playwright, ours].join(' | ')} |\n`,
  );
  await expect(HEAD + rows.join('') + TAIL).toMatchFileSnapshot('../../docs/mocking-features.md');
});
