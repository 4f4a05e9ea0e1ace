import { expect, it } from 'vitest';
import { mapChallengeUris } from '../../../../src/transports/http/authorization/rewrite-challenge-uris.ts';

const through = (field: string) => mapChallengeUris(field, (uri) => `<${uri}>`);

it.each([
  [
    'Bearer error="invalid_token", resource_metadata="https://up/.well-known/x", scope="a b"',
    'Bearer error="invalid_token", resource_metadata="<https://up/.well-known/x>", scope="a b"',
  ],
  ['Bearer resource_metadata=https://up/x, scope=a', 'Bearer resource_metadata="<https://up/x>", scope=a'],
  ['Bearer Resource_Metadata = "u"', 'Bearer Resource_Metadata = "<u>"'],
  ['Basic realm="resource"', 'Basic realm="resource"'],
  ['Bearer xresource_metadata="u"', 'Bearer xresource_metadata="u"'],
])('§13: a challenge %s names its metadata as %s', (field, expected) => {
  expect(through(field)).toBe(expected);
});
