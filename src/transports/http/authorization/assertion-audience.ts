import { isObject } from '../../../protocol/message.ts';

/** Returns for whom an assertion is meant: the `aud` of a JWT (RFC 7523, 3), which is not verified. What is none is for nobody. */
export function audienceOf(assertion: string): string[] {
  try {
    const [, payload = ''] = assertion.split('.');
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const audience = isObject(claims) ? claims.aud : undefined;
    return [audience].flat().filter((one) => typeof one === 'string');
  } catch {
    return [];
  }
}
