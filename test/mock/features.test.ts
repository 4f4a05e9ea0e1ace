import { expect, it } from 'vitest';
import { FEATURES } from './features.ts';

it.each(FEATURES)('$title', ({ prove }) => prove());

const HEAD = `# As a mocking tool

This page compares mcp-record with MSW 2, WireMock 3, aimock 1.43 (its MCP mock) and Playwright 1, by their own documentation in November 2026. Each row of mcp-record is
tested: \`npx vitest run test/mock/features.test.ts\`. MSW, WireMock and Playwright mock HTTP, which MCP can use. aimock mocks AI services, among them MCP over HTTP.
[Comparison with other tools](comparison.md) compares recorders for MCP.

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
