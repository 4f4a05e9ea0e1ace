import { Agent, type ClientRequest, request as requestPlain } from 'node:http';
import { request as requestSecure, Agent as SecureAgent } from 'node:https';
import { type ConnectionOptions, connect } from 'node:tls';
import { nextHop } from './next-hop.ts';
import type { Upstream } from './parse-upstream.ts';
import type { WebProxy } from './web-proxy.ts';

/**
 * Creates an agent with the connections of one client. `ca` are CA certificates in PEM that replace the default ones.
 */
export function agentFor(upstream: Upstream, ca?: readonly string[]): Agent {
  const { proxy, isSecure } = upstream;
  const options = { keepAlive: true, ...(ca && { ca: [...ca] }) };
  if (isSecure && proxy !== undefined) return tunnelling(new SecureAgent(options), upstream, proxy);
  return nextHop(upstream).isSecure ? new SecureAgent(options) : new Agent(options);
}

/** Changes an agent so that it connects through tunnels of `proxy` (RFC 9110, 9.3.6). */
function tunnelling(agent: SecureAgent, { hostname, port }: Upstream, proxy: WebProxy): SecureAgent {
  const digging = new Set<ClientRequest>();
  const { ca } = agent.options;
  agent.createConnection = (options, callback) => {
    const failed = (error: Error) => callback?.(error, undefined as never);
    const host = hostname.includes(':') ? `[${hostname}]` : hostname;
    const authority = `${host}:${port}`;
    const request = (proxy.isSecure ? requestSecure : requestPlain)({
      agent: false,
      method: 'CONNECT',
      host: proxy.hostname,
      port: proxy.port,
      path: authority,
      headers: { host: authority, ...proxy.headers },
      ...(ca && { ca }),
    });
    digging.add(request);
    request.once('close', () => digging.delete(request));
    request.once('error', failed);
    request.once('connect', ({ statusCode = 0, statusMessage }, socket) => {
      request.off('error', failed);
      if (statusCode < 200 || statusCode > 299) {
        socket.destroy();
        return failed(new Error(`the proxy ${proxy.origin} answered ${statusCode} ${statusMessage}`));
      }
      const secured = connect({ ...(options as ConnectionOptions), socket });
      secured.once('error', failed);
      secured.once('secureConnect', () => {
        secured.off('error', failed);
        callback?.(null, secured);
      });
    });
    request.end();
    return undefined;
  };
  const destroy = agent.destroy.bind(agent);
  agent.destroy = () => {
    for (const request of digging) request.destroy();
    destroy();
  };
  return agent;
}
