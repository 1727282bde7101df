/** Certificates of our own authority, created with openssl. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

export function createAuthority(name: string) {
  const folder = mkdtempSync(join(tmpdir(), 'souk-authority-'));
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.crt', '-subj', `/CN=${name}`, '-days', '2');
  let count = 0;
  return {
    folder,
    file: join(folder, 'ca.crt'),
    text: () => readFileSync(join(folder, 'ca.crt'), 'utf8'),
    /** `names` in openssl syntax: DNS:localhost, IP:127.0.0.1. */
    issue(commonName: string, names = '') {
      const id = `issued${++count}`;
      openssl('req', ...key, '-keyout', `${id}.key`, '-out', `${id}.csr`, '-subj', `/CN=${commonName}`);
      writeFileSync(join(folder, `${id}.ext`), names ? `subjectAltName=${names}\n` : '');
      const authority = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2'];
      openssl('x509', '-req', '-in', `${id}.csr`, ...authority, '-extfile', `${id}.ext`, '-out', `${id}.crt`);
      const [cert, secret] = [join(folder, `${id}.crt`), join(folder, `${id}.key`)];
      return { cert, key: secret, certText: readFileSync(cert, 'utf8'), keyText: readFileSync(secret, 'utf8') };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
