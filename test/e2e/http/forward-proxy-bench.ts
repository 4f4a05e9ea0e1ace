import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import {
  type CertificateAuthority,
  type KeyAndCertificate,
  openCertificateAuthority,
} from '../../../src/transports/http/forward-proxy/certificate-authority.ts';
import { mcpRecord } from '../../support/command.ts';
import { type Ended, run } from '../../support/process.ts';
import { recentNode } from '../../support/recent-node.ts';
import { NAME } from './web-proxy.ts';

/** What tests of clients behind a forward proxy share. */
export interface ForwardProxyBench {
  folder: string;
  /** Authority of the servers. */
  far: CertificateAuthority;
  /** Certificate of the servers. */
  certificate: KeyAndCertificate;
  /** A Node that reads NODE_USE_ENV_PROXY. */
  node: string;
  path(name: string): string;
  /** Options of a recorder that trusts the servers. */
  options(): string[];
  /** Runs a recorder that starts its client. */
  recorded(hosts: string, output: string, command: readonly string[], env?: Record<string, string>): Promise<Ended>;
}

/** Makes the bench before the tests of a file, and removes it after them. */
export function useForwardProxyBench(): ForwardProxyBench {
  const bench: Partial<ForwardProxyBench> = {
    path: (name) => join(bench.folder!, name),
    options: () => ['--proxy-ca', join(bench.folder!, 'own'), '--ca', bench.far!.file, '--timing', 'none'],
    recorded(hosts, output, command, env = {}) {
      const words = ['--proxy', hosts, '-o', bench.path!(output), ...bench.options!(), '--', ...command];
      return run({ ...mcpRecord('record', ...words), env });
    },
  };
  beforeAll(async () => {
    bench.folder = mkdtempSync(join(tmpdir(), 'mcp-record-forward-'));
    bench.far = await openCertificateAuthority({ folder: bench.path!('far'), now: new Date() });
    bench.certificate = await bench.far.certificateFor(['localhost', NAME]);
    bench.node = recentNode(24);
  }, 120_000);
  afterAll(() => rmSync(bench.folder!, { recursive: true }));
  return bench as ForwardProxyBench;
}
