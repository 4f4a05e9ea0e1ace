import { type SpawnOptions, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { McpRecordError } from '../../kernel/errors.ts';
import type { CertificateAuthority } from '../../transports/http/forward-proxy/certificate-authority.ts';
import type { NamedHosts } from '../../transports/http/forward-proxy/named-hosts.ts';
import { isExcepted } from '../../transports/http/upstream/web-proxy.ts';
import { cannotStart } from '../../transports/stdio/child-process.ts';
import { spawnCall } from '../../transports/stdio/windows-process.ts';
import { childExitStatus } from '../io/child-exit-status.ts';
import type { Interruption } from '../io/signals.ts';

/** What the client of a forward proxy has to know. */
export interface ProxiedClientOptions {
  /** Address of the proxy. */
  origin: string;
  authority: CertificateAuthority;
  hosts: NamedHosts;
  env: NodeJS.ProcessEnv;
}

/**
 * Returns the variables by which a client uses the proxy and trusts its certificates. Variables that replace the
 * client's certificates name a bundle with the usual ones, so that it still reaches other hosts.
 */
export function proxiedClientVariables({
  origin,
  authority,
  hosts,
  env,
}: ProxiedClientOptions): Readonly<Record<string, string>> {
  const bundle = join(dirname(authority.file), 'ca-bundle.pem');
  const others = [env.SSL_CERT_FILE, env.NODE_EXTRA_CA_CERTS].filter((file) => file && file !== bundle);
  writeFileSync(bundle, [authority.cert, ...rootCertificates, ...others.map(textOf)].join('\n'));
  const excepted = env.no_proxy || env.NO_PROXY;
  const noProxy = excepted === undefined ? undefined : withoutHosts(excepted, hosts);
  return {
    HTTPS_PROXY: origin,
    https_proxy: origin,
    HTTP_PROXY: origin,
    http_proxy: origin,
    ...(noProxy !== undefined && noProxy !== excepted && { NO_PROXY: noProxy, no_proxy: noProxy }),
    NODE_USE_ENV_PROXY: '1',
    NODE_EXTRA_CA_CERTS: env.NODE_EXTRA_CA_CERTS ? bundle : authority.file,
    SSL_CERT_FILE: bundle,
    REQUESTS_CA_BUNDLE: bundle,
    CURL_CA_BUNDLE: bundle,
  };
}

function textOf(file: string | undefined): string {
  try {
    return readFileSync(file ?? '', 'utf8');
  } catch {
    // The client would not have found it either.
    return '';
  }
}

/** Removes the entries of NO_PROXY by which a client would reach a named host without the proxy. */
function withoutHosts(exceptions: string, hosts: NamedHosts): string {
  const urls = [...hosts.values()].map(({ upstream }) => new URL(upstream.origin));
  return exceptions
    .split(/[\s,]+/)
    .filter((exception) => !urls.some((url) => isExcepted(url, exception)))
    .join(',');
}

/** Returns the lines by which a shell sets the variables. */
export function shellLines(variables: Readonly<Record<string, string>>, platform: NodeJS.Platform): string[] {
  const isPlain = (value: string) => /^[\w./:@%+,*-]*$/.test(value);
  return Object.entries(variables).map(([name, value]) =>
    platform === 'win32'
      ? `$env:${name} = '${value.replaceAll("'", "''")}'`
      : `export ${name}=${isPlain(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`}`,
  );
}

/**
 * Runs a client until it ends, on the streams of this process. A signal to this process ends it, too. Returns its exit
 * status as a shell shows it.
 * @throws McpRecordError COMMAND_NOT_FOUND, COMMAND_NOT_EXECUTABLE
 */
export async function runClient(
  [program = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  { aborted, by }: Interruption,
): Promise<number> {
  try {
    const options: SpawnOptions = { env, stdio: 'inherit' };
    const call = spawnCall({ program, args, options });
    const child = spawn(call.program, call.args, call.options);
    // A terminal has sent its SIGINT to the client as well.
    const stop = () => (by() === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(by()));
    aborted.addEventListener('abort', stop, { once: true });
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, signal) => resolve(childExitStatus(code ?? signal ?? undefined)));
    });
  } catch (error) {
    throw error instanceof McpRecordError ? error : cannotStart(program, error as Error, AS_CLIENT);
  }
}

const AS_CLIENT = 'Give the client as it is started in a terminal, after --.';
