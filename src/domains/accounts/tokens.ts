import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
  verify,
} from 'node:crypto';
import type { Config } from '../../config.ts';
import { inTransaction, type Pool } from '../../db/connection.ts';
import type { Clock } from '../../shared/clock.ts';
import { deriveKey, seal, unseal } from '../../shared/secrets.ts';
import { insertSigningKey, listSigningKeys } from './queries.ts';

export const ACCESS_SECONDS = 3600;

export type TokenType = 'access' | 'refresh';
export type Claims = {
  sub: string;
  sid: string;
  email?: string;
  provider: string;
  typ: TokenType;
  iat: number;
  jti: string;
  exp: number | null;
};

type VerifyingKey = { publicKey: KeyObject; createdAt: number };

/**
 * Ed25519 tokens. The keys lie in the database, the private ones sealed, so that all processes sign and verify alike. A new
 * key takes over signing; old ones go on verifying, because refresh tokens do not expire: rotation logs nobody out.
 */
export async function createTokens({ pool, config, clock }: { pool: Pool; config: Config; clock: Clock }) {
  const sealingKey = deriveKey(config.secretKey, 'signing-keys');
  const verifying = new Map<string, VerifyingKey>();
  let signing: { kid: string; privateKey: KeyObject };
  let reloadAfter = 0;

  async function load(): Promise<void> {
    const rows = await listSigningKeys(pool);
    for (const row of rows) {
      if (!verifying.has(row.kid)) {
        verifying.set(row.kid, { publicKey: createPublicKey(row.publicKey), createdAt: row.createdAt });
      }
    }
    const newest = rows.at(-1);
    if (!newest) return;
    signing = {
      kid: newest.kid,
      privateKey: createPrivateKey(unseal(sealingKey, newest.sealedPrivateKey, newest.kid)),
    };
  }

  async function addKey(): Promise<string> {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const kid = randomUUID();
    await inTransaction(pool, (tx) =>
      insertSigningKey(tx, {
        kid,
        publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
        sealedPrivateKey: seal(sealingKey, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), kid),
        createdAt: clock.seconds(),
      }),
    );
    await load();
    return kid;
  }

  /** A key that another process has made since is found, but strangers' `kid`s cost a read at most each few seconds. */
  async function findKey(kid: string): Promise<VerifyingKey | undefined> {
    const known = verifying.get(kid);
    if (known || clock.seconds() < reloadAfter) return known;
    reloadAfter = clock.seconds() + 5;
    await load();
    return verifying.get(kid);
  }

  function issue(
    type: TokenType,
    claims: Pick<Claims, 'sub' | 'sid' | 'provider'> & { email?: string },
    exp: number | null,
  ) {
    const header = encode({ alg: 'EdDSA', typ: 'JWT', kid: signing.kid });
    const body = encode({ ...claims, typ: type, iat: clock.seconds(), jti: randomUUID(), exp });
    const signature = sign(null, Buffer.from(`${header}.${body}`), signing.privateKey).toString('base64url');
    return `${header}.${body}.${signature}`;
  }

  /** The claims, or null when anything about the token is not exactly as we made it. */
  async function read(type: TokenType, token: string): Promise<Claims | null> {
    const [header, body, signature, ...rest] = token.split('.');
    if (!header || !body || !signature || rest.length > 0 || token.length > 4096) return null;
    const head = decode(header);
    if (head?.alg !== 'EdDSA' || head.typ !== 'JWT' || typeof head.kid !== 'string') return null;
    const key = await findKey(head.kid);
    if (!key || !verify(null, Buffer.from(`${header}.${body}`), key.publicKey, Buffer.from(signature, 'base64url'))) {
      return null;
    }
    const claims = decode(body) as Claims | null;
    if (claims?.typ !== type || (claims.exp !== null && claims.exp <= clock.seconds())) return null;
    return claims;
  }

  await load();
  if (verifying.size === 0) await addKey();

  return {
    issue,
    read,
    rotate: addKey,
    jwks: () => ({
      keys: [...verifying].map(([kid, { publicKey }]) => ({
        ...publicKey.export({ format: 'jwk' }),
        kid,
        alg: 'EdDSA',
        use: 'sig',
      })),
    }),
  };
}

export type Tokens = Awaited<ReturnType<typeof createTokens>>;

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function decode(part: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}
