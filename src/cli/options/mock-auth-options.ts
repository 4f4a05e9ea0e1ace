import type { Clock } from '../../kernel/clock.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { AuthorizationSettings } from '../../mock/authorization/authorization-options.ts';
import type { OfferedTools } from '../../mock/authorization/check-step-up-tools.ts';
import type { ProtectedServer, ProtectedServerOptions } from '../../mock/authorization/protected-server.ts';
import { say } from '../io/output.ts';

/** Authorization options of commands that serve over HTTP. */
export interface AuthOptions {
  auth?: boolean;
  authFile?: string;
}

/**
 * Returns the authorization settings, or `undefined` if clients need no token. A step-up for a tool that is not offered is an error. With a control API it is
 * a warning, because handlers may be added later.
 * @throws McpRecordError MOCK_AUTH_UNREADABLE, MOCK_AUTH_BAD
 */
export async function authorizationOf(
  { auth, authFile, control }: AuthOptions & { control?: string },
  offered: OfferedTools,
): Promise<AuthorizationSettings | undefined> {
  if (!auth && authFile === undefined) return undefined;
  const { authorizationSettings, loadAuthorizationFile } = await import(
    '../../mock/authorization/authorization-options.ts'
  );
  const { recordedAuthorization } = await import('../../mock/authorization/recorded/recorded-authorization.ts');
  const configured = recordedAuthorization(offered.cassettes);
  if (configured) say('clients are authorized as in the recording (docs/auth-recorded.md)');
  if (authFile === undefined) return authorizationSettings(true, undefined, configured);
  const { settings, source } = loadAuthorizationFile(authFile, configured);
  const { checkStepUpTools } = await import('../../mock/authorization/check-step-up-tools.ts');
  try {
    checkStepUpTools(settings, offered, source);
  } catch (error) {
    if (control === undefined) throw error;
    say(`${messageOf(error)}\n  This rule has no effect, unless PUT /handlers adds the tool.`);
  }
  return settings;
}

/**
 * Returns the authorization for a server at `path`, or `undefined` if clients need no token.
 * @throws McpRecordError as {@link authorizationOf}
 */
export async function protectedServerFor(
  { path, refused, ...options }: AuthOptions & Pick<ProtectedServerOptions, 'path' | 'refused'>,
  clock: Clock,
  offered: OfferedTools,
): Promise<ProtectedServer | undefined> {
  const settings = await authorizationOf(options, offered);
  if (settings === undefined) return undefined;
  const { protectedServer } = await import('../../mock/authorization/protected-server.ts');
  return protectedServer({ settings, clock, path, ...(refused && { refused }) });
}
