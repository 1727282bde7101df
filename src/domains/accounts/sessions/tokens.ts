import { randomUUID } from 'node:crypto';
import {
  CompactSign,
  type CompactVerifyGetKey,
  type CryptoKey,
  compactVerify,
  errors,
  exportJWK,
  exportPKCS8,
  exportSPKI,
  generateKeyPair,
  importPKCS8,
  importSPKI,
  type JWK,
} from 'jose';
import type { Platform, Steps } from '../../../context/index.ts';
import { deriveKey, seal, unseal } from '../../../shared/secrets.ts';
import { insertSigningKey, listSigningKeys, type SigningKeyRow } from './queries.ts';

export const ACCESS_SECONDS = 3600;
/** A new key verifies at once and signs a little later, when every process has heard of it. */
const SIGNS_AFTER_SECONDS = 10;
const RELOAD_PAUSE_SECONDS = 5;
const KEYS_SUBJECT = 'signing-keys';
const ALGORITHM = 'EdDSA';
const MAX_LENGTH = 4096;

type TokenType = 'access' | 'refresh';
export type Claims = {
  sub: string;
  sid: string;
  email?: string;
  provider: string;
  typ: TokenType;
  iat: number;
  jti: string;
  /** Null in the refresh tokens of sessions that do not expire. */
  exp: number | null;
};

type Key = { kid: string; publicKey: CryptoKey; privateKey: CryptoKey; jwk: JWK; createdAt: number };

/**
 * Ed25519 tokens. The keys lie in the database, the private ones sealed, so that all processes sign and verify alike. A new
 * key takes over signing; old ones go on verifying, because refresh tokens do not expire: rotation logs nobody out.
 */
export async function createTokens({ config, clock, broadcast }: Platform, system: () => Steps) {
  const sealingKey = deriveKey(config.secretKey, 'signing-keys');
  /** By kid, oldest first. */
  let keys = new Map<string, Key>();
  let reloadAfter = 0;

  async function load(): Promise<void> {
    const rows = await listSigningKeys(system().db);
    const opened = await Promise.all(rows.map((row) => keys.get(row.kid) ?? openKey(sealingKey, row)));
    keys = new Map(opened.map((key) => [key.kid, key]));
  }

  async function addKey(): Promise<string> {
    const row = await makeKey(sealingKey, clock.seconds());
    await system().transaction(async (ctx) => {
      await insertSigningKey(ctx.db, row);
      await ctx.publish(KEYS_SUBJECT);
    });
    await load();
    return row.kid;
  }

  /** The newest that every process knows by now; at the very start the first one. */
  function signingKey(): Key {
    const all = [...keys.values()];
    const knownSince = clock.seconds() - SIGNS_AFTER_SECONDS;
    return all.findLast((key) => key.createdAt <= knownSince) ?? all[0]!;
  }

  /** A key that another process has made since is found, but strangers' `kid`s cost a read at most each few seconds. */
  const verifyingKey: CompactVerifyGetKey = async ({ kid = '' }) => {
    if (!keys.has(kid) && clock.seconds() >= reloadAfter) {
      reloadAfter = clock.seconds() + RELOAD_PAUSE_SECONDS;
      await load();
    }
    const key = keys.get(kid);
    if (!key) throw new errors.JWKSNoMatchingKey();
    return key.publicKey;
  };

  /** Signed as a JWS: `exp: null` is in the interface, and not in what jose takes for a JWT. */
  function issue(claims: Omit<Claims, 'jti'>): Promise<string> {
    const { kid, privateKey } = signingKey();
    const payload: Claims = { ...claims, jti: randomUUID() };
    return new CompactSign(Buffer.from(JSON.stringify(payload)))
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid })
      .sign(privateKey);
  }

  /** The claims, or null when anything about the token is not exactly as we made it. */
  async function read(type: TokenType, token: string): Promise<Claims | null> {
    if (token.length > MAX_LENGTH || !hasOurSpelling(token)) return null;
    try {
      const verified = await compactVerify(token, verifyingKey, { algorithms: [ALGORITHM] });
      const claims: Claims = JSON.parse(Buffer.from(verified.payload).toString());
      return claims.typ === type && (claims.exp === null || claims.exp > clock.seconds()) ? claims : null;
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
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
    jwks: () => ({ keys: [...keys.values()].map(({ kid, jwk }) => ({ ...jwk, kid, alg: ALGORITHM, use: 'sig' })) }),
  };
}

export type Tokens = Awaited<ReturnType<typeof createTokens>>;

async function makeKey(sealingKey: Buffer, createdAt: number): Promise<SigningKeyRow> {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const kid = randomUUID();
  const sealedPrivateKey = seal(sealingKey, await exportPKCS8(privateKey), kid);
  return { kid, publicKey: await exportSPKI(publicKey), sealedPrivateKey, createdAt };
}

async function openKey(sealingKey: Buffer, row: SigningKeyRow): Promise<Key> {
  const { kid, createdAt } = row;
  const privateKey = await importPKCS8(unseal(sealingKey, row.sealedPrivateKey, kid), ALGORITHM);
  const publicKey = await importSPKI(row.publicKey, ALGORITHM, { extractable: true });
  return { kid, publicKey, privateKey, jwk: await exportJWK(publicKey), createdAt };
}

/** The last character of base64 has bits that decoding drops: only one of its spellings is ours. */
function hasOurSpelling(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}
