import { expect, it } from 'vitest';
import { FEATURES } from './features.ts';

it.each(FEATURES)('$title', ({ prove }) => prove());

const HEAD = `# As a mocking tool

What tools that mock do, from their own documentation in November 2026: MSW 2, WireMock 3, aimock 1.43 (its MCP mock) and Playwright 1. Each row of mcp-record is a
test: \`npx vitest run test/mock/features.test.ts\`. MSW, WireMock and Playwright mock HTTP, of which MCP is one use; aimock mocks services of AI, MCP over HTTP among
them. [Beside other tools](comparison.md) compares recorders of MCP.

| | MSW | WireMock | aimock | Playwright | mcp-record |
|---|---|---|---|---|---|
`;

it('the page has each of them', async () => {
  const rows = FEATURES.map(
    ({ title, msw, wireMock, aimock, playwright, ours }) =>
      `| ${[title, msw, wireMock, aimock, playwright, ours].join(' | ')} |\n`,
  );
  await expect(HEAD + rows.join('')).toMatchFileSnapshot('../../docs/mocking-features.md');
});
