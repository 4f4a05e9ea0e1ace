import type { Cassette } from '../../cassette/cassette.ts';
import { sessionForRules } from '../../lint/session-for-rules.ts';
import { isObject, paramsOf, resultOf } from '../../protocol/message.ts';
import { META, metaOf } from '../../protocol/meta.ts';
import { printable } from '../../text-report/printable-text.ts';
import type { View } from './report-data-types.ts';

type Peers = Pick<View, 'client' | 'server' | 'serverName' | 'capabilities' | 'revision'>;

/**
 * Returns names, versions and capabilities of both sides: from `initialize`, or, since 2026-07-28, from the `_meta` of
 * requests and results and from the result of `server/discover`.
 */
export function peersOf(cassette: Cassette): Peers {
  const { initialize, revision, requests, responses, requestOf, answer } = sessionForRules(cassette);
  const introduction = resultOf(initialize && answer(initialize)?.message);
  const discovered = responses.find((response) => requestOf(response)?.message.method === 'server/discover');
  const server = initialize ? introduction : resultOf(discovered?.message);
  const metas = requests.filter(({ from }) => from === 'client').map(({ message }) => metaOf(message.params));
  const ofClient = initialize ? paramsOf(initialize.message) : {};
  const fromMeta = (key: string) => metas.find((meta) => meta[key] !== undefined)?.[key];
  const ofServer = responses.map(({ message }) => metaOf(resultOf(message))[META.serverInfo]).find(isObject);
  const serverInfo = server.serverInfo ?? ofServer;
  const names = {
    client: nameOf(ofClient.clientInfo ?? fromMeta(META.clientInfo)),
    server: nameOf(serverInfo),
    serverName: nameOf(isObject(serverInfo) && { name: serverInfo.name }),
  };
  return {
    ...(names.client !== undefined && { client: names.client }),
    ...(names.server !== undefined && { server: names.server }),
    ...(names.serverName && { serverName: names.serverName }),
    capabilities: {
      client: capabilityNames(ofClient.capabilities ?? fromMeta(META.clientCapabilities)),
      server: capabilityNames(server.capabilities),
    },
    ...(revision !== undefined && { revision: printable(revision) }),
  };
}

function nameOf(info: unknown): string | undefined {
  if (!isObject(info) || typeof info.name !== 'string') return undefined;
  return printable([info.name, info.version].filter((part) => typeof part === 'string').join(' '));
}

/** `tools (listChanged)` */
function capabilityNames(capabilities: unknown): string[] {
  if (!isObject(capabilities)) return [];
  return Object.entries(capabilities).map(([name, value]) => {
    const parts = isObject(value) ? Object.keys(value).filter((part) => value[part] !== false) : [];
    return printable(parts.length === 0 ? name : `${name} (${parts.join(', ')})`);
  });
}
