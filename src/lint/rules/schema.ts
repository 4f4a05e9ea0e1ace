import { isDeeplyNested } from '../../match/nesting-depth.ts';
import { isObject, isRequest, type Notification, type Request, type Response } from '../../protocol/message.ts';
import { isLater, NEWEST, NEWEST_LEGACY } from '../../protocol/revisions.ts';
import { type DefinedCheck, type MessageChecks, messageChecks } from '../../protocol/schema/message-checks.ts';
import type { LintRule, RuleBreach } from '../lint-rule.ts';
import type { LintMessage, LintSession } from '../session-for-rules.ts';

/**
 * Rule: each message is valid in the official JSON Schema of its revision. Schemas and validator are loaded on the
 * first check. Revision 2024-11-05 and the methods of extensions have no schema.
 */
export const SCHEMA_RULE: LintRule = {
  id: 'schema',
  severity: 'error',
  sentence: 'Every message is valid in the JSON Schema of its revision.',
  source: 'schema.json of 2025-03-26 to 2026-07-28',
  check(session) {
    const checks = session.revision === undefined ? undefined : messageChecks(knownRevision(session.revision, session));
    if (checks === undefined) return [];
    return [...session.requests, ...session.notifications, ...session.responses].flatMap((entry): RuleBreach[] => {
      const why = isDeeplyNested(entry.message) ? undefined : trouble(entry, session, checks);
      return why === undefined ? [] : [{ entry, why }];
    });
  },
};

/** Returns the revision whose schema is used. A later revision has none yet. */
function knownRevision(revision: string, { initialize }: LintSession): string {
  if (!isLater(revision)) return revision;
  return initialize === undefined ? NEWEST : NEWEST_LEGACY;
}

/** Returns the schema violation of a message, as a clause. */
function trouble(
  entry: LintMessage<Request | Notification | Response>,
  session: LintSession,
  checks: MessageChecks,
): string | undefined {
  const { message } = entry;
  if ('method' in message) return clause(checks.ofMethod(message.method), { jsonrpc: '2.0', ...message }, '');
  const asked = session.requestOf(entry)?.message;
  if (!isRequest(asked) || !isObject(message.result)) return undefined;
  return clause(checks.ofResult(asked.method, message.result), message.result, '/result');
}

function clause(check: DefinedCheck | undefined, message: unknown, at: string): string | undefined {
  const breach = check?.breachOf(message);
  if (breach === undefined) return undefined;
  const { path, value, why } = breach;
  // A placeholder may replace a value of another type.
  const isRedacted = typeof value === 'string' && value.includes('[redacted:');
  return isRedacted ? undefined : `${at + path || 'the message'} ${why}`;
}
