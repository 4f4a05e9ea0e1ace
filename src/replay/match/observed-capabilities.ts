import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { isNotification, isObject, isRequest, type Params, paramsOf } from '../../protocol/message.ts';
import { capabilityOf, draftPath, EXTENSIONS } from '../../protocol/method-table.ts';

type Capabilities = Record<string, Record<string, unknown>>;

/** Returns the capabilities that the server needs for the client's requests and its own notifications in a cassette. */
export function serverCapabilities(entries: readonly SessionEntry[], era: { modern?: boolean } = {}): Capabilities {
  const capabilities: Capabilities = {};
  for (const { from, message } of entries) {
    const isShown = from === 'client' ? isRequest(message) : isNotification(message);
    if (!isShown || !('method' in message!)) continue;
    const path = capabilityOf(message.method, era) ?? [];
    // Files of skills are resources.
    if (path[1] === EXTENSIONS.skills) capabilities.resources ??= {};
    // Clients such as `@ai-sdk/mcp` look for the capability of the draft only.
    for (const [capability, ...rest] of [draftPath(path) ?? [], path]) {
      if (capability === undefined) continue;
      const isExtension = capability === 'extensions';
      capabilities[capability] ??= {};
      declare(capabilities[capability], isExtension ? rest : rest.slice(0, 1), isExtension);
    }
  }
  return capabilities;
}

/**
 * Declares the capability at `path` in `holder`: the last step becomes true, or an empty object for an extension
 * without settings.
 */
function declare(holder: Record<string, unknown>, [step, ...rest]: readonly string[], isExtension: boolean): void {
  if (step === undefined) return;
  if (!isExtension) {
    holder[step] = true;
    return;
  }
  if (!isObject(holder[step])) holder[step] = {};
  declare(holder[step] as Record<string, unknown>, rest, false);
}

/** Returns the capabilities that the client needs for the server's requests in a cassette. */
export function clientCapabilities(entries: readonly SessionEntry[]): Capabilities {
  const capabilities: Capabilities = {};
  for (const { from, message } of entries) {
    if (from === 'server' && isRequest(message))
      Object.assign(capabilities, capabilitiesFor(message.method, paramsOf(message)));
    if (from === 'client' && isNotification(message) && message.method === 'notifications/roots/list_changed')
      capabilities.roots = { listChanged: true };
  }
  return capabilities;
}

function capabilitiesFor(method: string, params: Params | undefined): Capabilities {
  switch (method) {
    case 'sampling/createMessage':
      return { sampling: isObject(params) && 'tools' in params ? { tools: {} } : {} };
    case 'elicitation/create':
      return { elicitation: { form: {}, ...(params?.mode === 'url' && { url: {} }) } };
    case 'roots/list':
      return { roots: { listChanged: true } };
    default:
      return {};
  }
}
