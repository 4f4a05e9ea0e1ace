import { isObject } from '../../protocol/message.ts';
import { type DefinedFault, defineFault } from '../fault.ts';
import { text, type WithFallback, withDefault } from '../rules/declare-fault-params.ts';
import { withMessage } from '../support/edit-message.ts';

type Takes = { as: WithFallback<string> };

const params: Takes = { as: withDefault(text('the revision'), '1999-01-01') };

/** Claims a protocol revision that the client does not support. */
export const version: DefinedFault<Takes> = defineFault({
  name: 'version',
  doc: 'The response to initialize names another protocol revision. If the rule applies to server/discover, its response lists that revision only.',
  transports: ['stdio', 'http', 'memory'],
  params,
  when: { kind: 'response', method: 'initialize' },
  start({ as }, { next }) {
    return {
      hit: (frame) =>
        next(
          withMessage(frame, (message) =>
            isObject(message.result) ? { ...message, result: claiming(message.result, as) } : message,
          ),
        ),
    };
  },
});

/**
 * Replaces the revision in a result: `initialize` returns one revision, `server/discover` (2026-07-28) a list of all
 * supported ones.
 */
function claiming(result: Record<string, unknown>, as: string): Record<string, unknown> {
  return {
    ...result,
    ...('protocolVersion' in result && { protocolVersion: as }),
    ...('supportedVersions' in result && { supportedVersions: [as] }),
  };
}
