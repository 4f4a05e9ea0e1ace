import type { Frame } from '../../channel/frame.ts';
import { isObject } from '../../protocol/message.ts';
import { type DefinedFault, defineFault } from '../fault.ts';
import { text, type WithFallback, withDefault } from '../rules/declare-fault-params.ts';
import { editFrames, withMessage } from '../support/edit-message.ts';

type Takes = { as: WithFallback<string> };

const params: Takes = { as: withDefault(text('the revision'), '1999-01-01') };

const PLACES: readonly (string | undefined)[] = ['initialize', 'server/discover'];

/** Claims a protocol revision that the client does not support. */
export const version: DefinedFault<Takes> = defineFault({
  name: 'version',
  doc: 'The response to initialize names another protocol revision. If the rule applies to server/discover, its response lists that revision only.',
  transports: ['stdio', 'http', 'memory'],
  params,
  when: { kind: 'response', method: 'initialize' },
  isOfMessages: true,
  unfit: ({ when }) =>
    when.from !== 'client' && when.kind === 'response' && PLACES.includes(when.method)
      ? undefined
      : 'only the responses to initialize and server/discover name revisions',
  start({ as }, { next }) {
    const edit = (frame: Frame) =>
      withMessage(frame, (message) =>
        isObject(message.result) ? { ...message, result: claiming(message.result, as) } : message,
      );
    return editFrames(next, edit, `the response named the revision ${as} anyway, or none`);
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
