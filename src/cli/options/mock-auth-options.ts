import type { Clock } from '../../kernel/clock.ts';
import type { AuthorizationSettings } from '../../mock/authorization/authorization-options.ts';
import type { ProtectedServer } from '../../mock/authorization/protected-server.ts';

/** Authorization options of commands that serve over HTTP. */
export interface AuthOptions {
  auth?: boolean;
  authFile?: string;
}

/**
 * Returns the authorization settings, or `undefined` if clients need no token.
 * @throws McpRecordError MOCK_AUTH_UNREADABLE, MOCK_AUTH_BAD
 */
export async function authorizationOf({ auth, authFile }: AuthOptions): Promise<AuthorizationSettings | undefined> {
  if (!auth && authFile === undefined) return undefined;
  const { authorizationSettings, loadAuthorizationFile } = await import(
    '../../mock/authorization/authorization-options.ts'
  );
  return authFile === undefined ? authorizationSettings(true) : loadAuthorizationFile(authFile);
}

/**
 * Returns the authorization for a server at `path`, or `undefined` if clients need no token.
 * @throws McpRecordError as {@link authorizationOf}
 */
export async function protectedServerFor(
  { path, ...options }: AuthOptions & { path: string },
  clock: Clock,
): Promise<ProtectedServer | undefined> {
  const settings = await authorizationOf(options);
  if (settings === undefined) return undefined;
  const { protectedServer } = await import('../../mock/authorization/protected-server.ts');
  return protectedServer({ settings, clock, path });
}
