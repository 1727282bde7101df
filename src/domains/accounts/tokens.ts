import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
  verify,
} from 'node:crypto';
import { inTransaction } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import { deriveKey, seal, unseal } from '../../shared/secrets.ts';
import { insertSigningKey, listSigningKeys, type SigningKeyRow } from './queries.ts';

export const ACCESS_SECONDS = 3600;
/** A new key verifies at once and signs a little later, when every process has heard of it. */
const SIGNS_AFTER_SECONDS = 10;
const KEYS_SUBJECT = 'signing-keys';

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

type Key = { kid: string; publicKey: KeyObject; privateKey: KeyObject; createdAt: number };

/**
 * Ed25519 tokens. The keys lie in the database, the private ones sealed, so that all processes sign and verify alike. A new
 * key takes over signing; old ones go on verifying, because refresh tokens do not expire: rotation logs nobody out.
 */
export async function createTokens({
  pool,
  config,
  clock,
  broadcast,
}: Pick<Deps, 'pool' | 'config' | 'clock' | 'broadcast'>) {
  const sealingKey = deriveKey(config.secretKey, 'signing-keys');
  /** By kid, oldest first. */
  let keys = new Map<string, Key>();
  let reloadAfter = 0;

  async function load(): Promise<void> {
    const rows = await listSigningKeys(pool);
    keys = new Map(rows.map((row) => [row.kid, keys.get(row.kid) ?? open(row)]));
  }

  function open({ kid, publicKey, sealedPrivateKey, createdAt }: SigningKeyRow): Key {
    const privateKey = createPrivateKey(unseal(sealingKey, sealedPrivateKey, kid));
    return { kid, publicKey: createPublicKey(publicKey), privateKey, createdAt };
  }

  async function addKey(): Promise<string> {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const kid = randomUUID();
    await inTransaction(pool, async (tx) => {
      await insertSigningKey(tx, {
        kid,
        publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
        sealedPrivateKey: seal(sealingKey, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), kid),
        createdAt: clock.seconds(),
      });
      await broadcast.publish(tx, KEYS_SUBJECT);
    });
    await load();
    return kid;
  }

  /** The newest that every process knows by now; at the very start the first one. */
  function signingKey(): Key {
    const all = [...keys.values()];
    const settled = clock.seconds() - SIGNS_AFTER_SECONDS;
    return all.findLast((key) => key.createdAt <= settled) ?? all[0]!;
  }

  /** A key that another process has made since is found, but strangers' `kid`s cost a read at most each few seconds. */
  async function findKey(kid: string): Promise<Key | undefined> {
    const known = keys.get(kid);
    if (known || clock.seconds() < reloadAfter) return known;
    reloadAfter = clock.seconds() + 5;
    await load();
    return keys.get(kid);
  }

  function issue(
    type: TokenType,
    claims: Pick<Claims, 'sub' | 'sid' | 'provider'> & { email?: string },
    exp: number | null,
  ) {
    const { kid, privateKey } = signingKey();
    const header = encode({ alg: 'EdDSA', typ: 'JWT', kid });
    const body = encode({ ...claims, typ: type, iat: clock.seconds(), jti: randomUUID(), exp });
    const signature = sign(null, Buffer.from(`${header}.${body}`), privateKey).toString('base64url');
    return `${header}.${body}.${signature}`;
  }

  /** The claims, or null when anything about the token is not exactly as we made it. */
  async function read(type: TokenType, token: string): Promise<Claims | null> {
    const [header, body, signature, ...rest] = token.split('.');
    if (!header || !body || !signature || rest.length > 0 || token.length > 4096) return null;
    const head = decode(header);
    if (head?.alg !== 'EdDSA' || head.typ !== 'JWT' || typeof head.kid !== 'string') return null;
    const key = await findKey(head.kid);
    const signed = Buffer.from(signature, 'base64url');
    // The last character of base64 has bits that decoding drops: only one of its spellings is ours.
    if (!key || signed.toString('base64url') !== signature) return null;
    if (!verify(null, Buffer.from(`${header}.${body}`), key.publicKey, signed)) return null;
    const claims = decode(body) as Claims | null;
    if (claims?.typ !== type || (claims.exp !== null && claims.exp <= clock.seconds())) return null;
    return claims;
  }

  const reload = () => void load().catch(() => {});
  broadcast.subscribe((subject) => subject === KEYS_SUBJECT && reload());
  broadcast.onReset(reload);
  await load();
  if (keys.size === 0) await addKey();

  return {
    issue,
    read,
    rotate: addKey,
    jwks: () => ({
      keys: [...keys.values()].map(({ kid, publicKey }) => ({
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
