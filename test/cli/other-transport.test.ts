import { expect, it } from 'vitest';
import { requireStdio } from '../../src/cli/other-transport.ts';
import { tape } from '../support/conversation.ts';

it('lets a session over stdio pass, and refuses one over HTTP', () => {
  const cassette = tape();
  expect(() => requireStdio(cassette)).not.toThrow();
  const http = { ...cassette, header: { ...cassette.header, transport: 'http' as const } };
  expect(() => requireStdio(http)).toThrow(/Cannot play cassette tape\.yaml.*\[TAPE_OTHER_TRANSPORT\]/);
});
