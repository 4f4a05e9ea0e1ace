import { createHash, createPrivateKey, generateKeyPair, X509Certificate } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { pki } from 'node-forge';
import { McpRecordError, messageOf } from '../../../kernel/errors.ts';
import { loadPeer } from '../../../kernel/platform/optional-peer.ts';

/** Key and certificate in PEM. */
export interface KeyAndCertificate {
  key: string;
  cert: string;
}

/** Authority that signs the certificates of a forward proxy. */
export interface CertificateAuthority {
  /** File with its certificate, for clients. */
  file: string;
  /** Certificate in PEM. */
  cert: string;
  /** Whether it was created by this call. */
  isNew: boolean;
  /** Returns a new key with a certificate for these hosts. */
  certificateFor(hostnames: readonly string[]): Promise<KeyAndCertificate>;
}

export interface AuthorityOptions {
  /** Folder of the authority. It is created if it does not exist. */
  folder: string;
  now: Date;
  /** Loads the package that signs certificates. Default: from where it is installed. */
  load?(): Promise<Forge>;
}

type Forge = typeof import('node-forge');

/** File with the key and its certificate, which only the user can read. In one file, they always belong together. */
const KEY_FILE = 'ca-key.pem';
const CERTIFICATE_FILE = 'ca.pem';
const AUTHORITY_NAME = 'mcp-record forward proxy';
const CERTIFICATE_NAME = 'mcp-record forward proxy, recorded hosts';
const KEY_BITS = 2048;
const DAY = 24 * 60 * 60 * 1000;
const AUTHORITY_DAYS = 3650;
/** Clients of Apple accept no longer time. */
const CERTIFICATE_DAYS = 397;

/**
 * Opens the authority in a folder, or creates it there at first use.
 * @throws McpRecordError PEER_MISSING, PROXY_CA_UNUSABLE
 */
export async function openCertificateAuthority({
  folder,
  now,
  load = async () => (await import('node-forge')).default,
}: AuthorityOptions): Promise<CertificateAuthority> {
  const forge = await loadPeer({
    name: 'node-forge',
    versions: '^1.4.0',
    load,
    what: 'Cannot make certificates for --proxy',
  });
  const keyFile = join(folder, KEY_FILE);
  const file = join(folder, CERTIFICATE_FILE);
  const isNew = !existsSync(keyFile);
  if (isNew) {
    const created = await newAuthority(forge, now);
    attempt(folder, () => writeFirst(keyFile, created));
  }
  const authority = readAuthority(forge, keyFile, now);
  // Written again if it differs: clients must not trust another certificate than that of this key.
  attempt(file, () => {
    if (!existsSync(file) || readFileSync(file, 'utf8') !== authority.cert) writeFileSync(file, authority.cert);
  });
  return {
    file,
    cert: authority.cert,
    isNew,
    certificateFor: (hostnames) => signedCertificate(forge, { authority, hostnames, now }),
  };
}

async function newAuthority(forge: Forge, now: Date): Promise<string> {
  const { key, certificate } = await unsigned(forge, { name: AUTHORITY_NAME, now, days: AUTHORITY_DAYS });
  certificate.setIssuer(certificate.subject.attributes);
  certificate.setExtensions([
    { name: 'basicConstraints', critical: true, cA: true, pathLenConstraint: 0 },
    { name: 'keyUsage', critical: true, keyCertSign: true, cRLSign: true },
    { name: 'subjectKeyIdentifier' },
  ]);
  return key + signedBy(forge, key, certificate);
}

/** Writes a file that nobody else can read, unless another process has written it first. */
function writeFirst(file: string, text: string): void {
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  // An older draft may have another mode.
  chmodSync(draft, 0o600);
  try {
    linkSync(draft, file);
  } catch (error) {
    // Some file systems have no links. There, the last one wins.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') renameSync(draft, file);
  }
  rmSync(draft, { force: true });
}

function readAuthority(forge: Forge, file: string, now: Date): KeyAndCertificate {
  const { text, mode } = attempt(file, () => ({ text: readFileSync(file, 'utf8'), mode: statSync(file).mode }));
  // Windows has no such modes.
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    throw unusable(file, 'other users can read it', `Remove it: ${MADE_ANEW}`);
  const [key = '', cert = ''] = text.match(/-----BEGIN [A-Z ]+-----[^-]+-----END [A-Z ]+-----\n/g) ?? [];
  const why = attempt(file, () => {
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) return 'its certificate is of another key';
    return forge.pki.certificateFromPem(cert).validity.notAfter < now ? 'its certificate has expired' : undefined;
  });
  if (why !== undefined) throw unusable(file, why, `Remove it: ${MADE_ANEW}`);
  return { key, cert };
}

interface CertificateOptions {
  authority: KeyAndCertificate;
  hostnames: readonly string[];
  now: Date;
}

async function signedCertificate(
  forge: Forge,
  { authority, hostnames, now }: CertificateOptions,
): Promise<KeyAndCertificate> {
  const issuer = forge.pki.certificateFromPem(authority.cert);
  const { key, certificate } = await unsigned(forge, { name: CERTIFICATE_NAME, now, days: CERTIFICATE_DAYS });
  certificate.setIssuer(issuer.subject.attributes);
  const altNames = hostnames.map((name) => (isIP(name) ? { type: IP_ADDRESS, ip: name } : { type: DNS, value: name }));
  certificate.setExtensions([
    { name: 'basicConstraints', critical: true, cA: false },
    { name: 'keyUsage', critical: true, digitalSignature: true, keyEncipherment: true },
    { name: 'extKeyUsage', serverAuth: true },
    { name: 'subjectAltName', altNames },
    { name: 'subjectKeyIdentifier' },
    { name: 'authorityKeyIdentifier', keyIdentifier: issuer.generateSubjectKeyIdentifier().getBytes() },
  ]);
  return { key, cert: signedBy(forge, authority.key, certificate) };
}

/** Types of names in certificates (RFC 5280, 4.2.1.6). */
const DNS = 2;
const IP_ADDRESS = 7;

interface Subject {
  name: string;
  now: Date;
  days: number;
}

/** Returns a certificate with a new key, without issuer, extensions and signature. */
async function unsigned(
  forge: Forge,
  { name, now, days }: Subject,
): Promise<{ key: string; certificate: pki.Certificate }> {
  const { privateKey: key, publicKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: KEY_BITS,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey);
  // The digest of a new key is as unique as a random number. The first digit makes it positive.
  certificate.serialNumber = `4${createHash('sha256').update(publicKey).digest('hex').slice(0, 31)}`;
  // The clock of a container may be behind.
  certificate.validity.notBefore = daysAfter(now, -1);
  certificate.validity.notAfter = daysAfter(now, days - 1);
  certificate.setSubject([{ name: 'commonName', value: name }]);
  return { key, certificate };
}

function signedBy(forge: Forge, key: string, certificate: pki.Certificate): string {
  certificate.sign(forge.pki.privateKeyFromPem(key), forge.md.sha256.create());
  return forge.pki.certificateToPem(certificate).replaceAll('\r\n', '\n');
}

function daysAfter(now: Date, days: number): Date {
  const date = structuredClone(now);
  date.setTime(now.getTime() + days * DAY);
  return date;
}

const MADE_ANEW = 'the next run makes a new one, which clients have to trust then.';

function attempt<T>(path: string, task: () => T): T {
  try {
    return task();
  } catch (error) {
    throw unusable(path, messageOf(error), `Give another folder with --proxy-ca, or remove the files: ${MADE_ANEW}`);
  }
}

function unusable(path: string, why: string, next: string): McpRecordError {
  return new McpRecordError({
    code: 'PROXY_CA_UNUSABLE',
    what: `Cannot use the certificate authority in ${path}`,
    why,
    next,
  });
}
