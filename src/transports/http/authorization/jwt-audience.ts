import { parseJson } from '../../../protocol/json-text.ts';
import { isObject } from '../../../protocol/message.ts';

/**
 * Returns the audience of an assertion: the `aud` of a JWT, whose signature is not verified (RFC 7523, 3). Empty for
 * any other text.
 */
export function audienceOfJwt(assertion: string): string[] {
  const [, payload = ''] = assertion.split('.');
  const claims = parseJson(Buffer.from(payload, 'base64url').toString());
  const audience = isObject(claims) ? claims.aud : undefined;
  return [audience].flat().filter((one) => typeof one === 'string');
}
