import { X509Certificate } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCertificateAuthority } from '../../../../src/transports/http/forward-proxy/certificate-authority.ts';
import { itOnPosix } from '../../../support/on-posix.ts';

const NOW = new Date('2026-11-29T10:00:00Z');
let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'mcp-record-ca-')), 'of', 'user');
});
afterEach(() => rmSync(join(folder, '..', '..'), { recursive: true }));

const open = (now = NOW) => openCertificateAuthority({ folder, now });
const keyFile = () => join(folder, 'ca-key.pem');

describe('a certificate authority', () => {
  it('is made at first use, and kept', async () => {
    const first = await open();
    const again = await open();
    expect([first.isNew, again.isNew]).toEqual([true, false]);
    expect(again.cert).toBe(first.cert);
    expect(readFileSync(again.file, 'utf8')).toBe(first.cert);
    expect(readdirSync(folder).sort()).toEqual(['ca-key.pem', 'ca.pem']);
    const certificate = new X509Certificate(first.cert);
    expect([certificate.ca, certificate.checkIssued(certificate), certificate.verify(certificate.publicKey)]).toEqual([
      true,
      true,
      true,
    ]);
    expect(certificate.validTo).toBe('Nov 25 10:00:00 2036 GMT');
  });

  itOnPosix('file modes', 'has a key that nobody else can read', async () => {
    const before = process.umask(0);
    try {
      await open();
    } finally {
      process.umask(before);
    }
    expect([statSync(keyFile()).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(readFileSync(join(folder, 'ca.pem'), 'utf8')).not.toContain('PRIVATE');
  });

  it('signs certificates of names and addresses, each with a number of its own', async () => {
    const authority = await open();
    const made = await authority.certificateFor(['mcp.example.com', '127.0.0.1', '::1']);
    const certificate = new X509Certificate(made.cert);
    const issuer = new X509Certificate(authority.cert);
    expect(certificate.subjectAltName).toBe('DNS:mcp.example.com, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1');
    expect([certificate.ca, certificate.checkIssued(issuer), certificate.verify(issuer.publicKey)]).toEqual([
      false,
      true,
      true,
    ]);
    expect(certificate.validFrom).toBe('Nov 28 10:00:00 2026 GMT');
    expect(certificate.validTo).toBe('Dec 30 10:00:00 2027 GMT');
    const other = new X509Certificate((await authority.certificateFor(['mcp.example.com'])).cert);
    expect(new Set([issuer, certificate, other].map(({ serialNumber }) => serialNumber)).size).toBe(3);
  });

  it('is one, where several recorders make it at once', async () => {
    const opened = await Promise.all([open(), open(), open()]);
    expect(new Set(opened.map(({ cert }) => cert)).size).toBe(1);
    expect(readdirSync(folder).sort()).toEqual(['ca-key.pem', 'ca.pem']);
  });

  it('does not hand out another certificate than that of its key', async () => {
    const { cert } = await open();
    writeFileSync(join(folder, 'ca.pem'), 'a stranger wrote this');
    const { file } = await open();
    expect(readFileSync(file, 'utf8')).toBe(cert);
  });
});

describe('an authority that cannot be used is refused', () => {
  const UNUSABLE = { code: 'PROXY_CA_UNUSABLE' };

  itOnPosix('file modes', 'where others can read its key', async () => {
    await open();
    chmodSync(keyFile(), 0o640);
    await expect(open()).rejects.toMatchObject({
      ...UNUSABLE,
      message: expect.stringContaining('other users can read'),
    });
  });

  it('after its time', async () => {
    await open();
    const later = new Date('2036-11-25T10:00:01Z');
    await expect(open(later)).rejects.toMatchObject({ ...UNUSABLE, message: expect.stringContaining('has expired') });
  });

  it('with the certificate of another key', async () => {
    await open();
    const [key] = readFileSync(keyFile(), 'utf8').split('-----BEGIN CERT');
    rmSync(folder, { recursive: true });
    const { cert } = await open();
    writeFileSync(keyFile(), key + cert);
    await expect(open()).rejects.toMatchObject({ ...UNUSABLE, message: expect.stringContaining('of another key') });
  });

  it.each(['', 'no key', '-----BEGIN X-----\nAAAA\n-----END X-----\n'])(
    'with a file that is none: %j',
    async (text) => {
      await open();
      writeFileSync(keyFile(), text);
      await expect(open()).rejects.toMatchObject(UNUSABLE);
    },
  );

  it('in a folder that is a file', async () => {
    await open();
    const inFile = openCertificateAuthority({ folder: join(keyFile(), 'x'), now: NOW });
    await expect(inFile).rejects.toMatchObject({ ...UNUSABLE, message: expect.stringContaining('--proxy-ca') });
  });

  it('without the package that signs, with the command that installs it', async () => {
    const load = () => import('mcp-record-no-such-package' as string);
    await expect(openCertificateAuthority({ folder, now: NOW, load })).rejects.toMatchObject({
      code: 'PEER_MISSING',
      message: expect.stringContaining('npm install -D "node-forge@'),
    });
    const broken = async () => {
      throw new Error('broken package');
    };
    await expect(openCertificateAuthority({ folder, now: NOW, load: broken })).rejects.toThrow(/^broken package$/);
  });
});
