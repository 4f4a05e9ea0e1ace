import { isObject, paramsOf } from '../protocol/message.ts';
import { type CapabilityPath, capabilityOf } from '../protocol/method-table.ts';

/**
 * Returns the client's capability that a server's request needs: that of its method, or of the mode or member that it
 * uses. A client that declares no mode of elicitation has forms (2025-11-25, "Elicitation", "Sampling").
 */
export function capabilityForRequest(request: unknown, declared: unknown): CapabilityPath {
  const { method } = isObject(request) ? request : {};
  const { mode, tools } = paramsOf(request);
  const isEitherMode = isObject(declared) && isObject(declared.elicitation) && 'url' in declared.elicitation;
  if (method === 'elicitation/create' && mode === 'url') return ['elicitation', 'url'];
  if (method === 'elicitation/create' && isEitherMode) return ['elicitation', 'form'];
  if (method === 'sampling/createMessage' && tools !== undefined) return ['sampling', 'tools'];
  return typeof method === 'string' ? (capabilityOf(method) ?? []) : [];
}
