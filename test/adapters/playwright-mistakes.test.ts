import { expect, it } from 'vitest';
import { tool } from '../../src/adapters/mock.ts';
import { playwrightEndpoint } from '../../src/adapters/playwright.ts';

it.each([
  ['a cassette that is not there', () => playwrightEndpoint({ cassette: 'no/such.yaml' }), 'CASSETTE_NOT_FOUND'],
  ['what is no handler', () => playwrightEndpoint({ handlers: [{} as never] }), 'HANDLER_INVALID'],
  ['what is no handler, later', () => playwrightEndpoint().use({} as never), 'HANDLER_INVALID'],
  ['a tool without a name', () => playwrightEndpoint({ handlers: [tool('', () => 'x')] }), 'HANDLER_INVALID'],
  ['an unknown option', () => playwrightEndpoint({ cassete: 'a.yaml' } as never), 'OPTION_UNKNOWN'],
])('a mock server behind page.route refuses %s', (_, open, code) => {
  expect(open).toThrow(expect.objectContaining({ code }));
});
