import type { AuthorizationSettings } from './authorization-options.ts';
import { OAuthRefusal } from './oauth-refusal.ts';
import { scopeKey } from './recorded/recorded-flow.ts';

/** Returns the scopes of a request without duplicates, or `undefined` if the request names no scope. */
export function scopesIn(form: URLSearchParams): readonly string[] | undefined {
  const named = (form.get('scope') ?? '').split(' ').filter((scope) => scope !== '');
  return named.length === 0 ? undefined : [...new Set(named)];
}

/**
 * Returns the scopes that a request is granted: those that it names, or those of every request. A recorded server may
 * have granted others, or refused some.
 * @throws OAuthRefusal invalid_scope
 */
export function grantedScopes(form: URLSearchParams, { scopes, recorded }: AuthorizationSettings): readonly string[] {
  const asked = scopesIn(form);
  if (recorded === undefined) return asked ?? scopes;
  const refused = recorded.refusedScopes.get(scopeKey(asked));
  if (refused !== undefined)
    throw new OAuthRefusal(
      'invalid_scope',
      String(refused.error_description ?? 'The recorded server refused the scope'),
    );
  const unknown = asked?.find((scope) => recorded.scopes?.includes(scope) === false);
  if (unknown !== undefined)
    throw new OAuthRefusal(
      'invalid_scope',
      `The recorded server does not support the scope "${unknown}". It has ${recorded.scopes?.join(', ')}`,
    );
  return recorded.grantedScopes.get(scopeKey(asked)) ?? asked ?? scopes;
}
