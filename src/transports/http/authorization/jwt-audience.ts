import { isObject } from '../../../protocol/message.ts';

/**
 * Returns the audience of an assertion: the `aud` of a JWT, whose signature is not verified (RFC 7523, 3). Empty for
 * any other text.
 */
export function audienceOfJwt(assertion: string): string[] {
  try {
    const [, payload = ''] = assertion.split('.');
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const audience = isObject(claims) ? claims.aud : undefined;
    return [audience].flat().filter((one) => typeof one === 'string');
  } catch {
    return [];
  }
}
