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
import { deriveKey, seal, unseal } from '../../../shared/security/secrets.ts';
import { insertSigningKey, listSigningKeys, type SigningKeyRow } from './queries.ts';

export const ACCESS_SECONDS = 3600;
/** A new key verifies tokens immediately, but signs them only after every process has loaded it. */
const SIGNING_DELAY_SECONDS = 10;
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
  /** The ADMIN who views the shop as the user, in a support session (RFC 8693). */
  act?: { sub: string };
  typ: TokenType;
  iat: number;
  jti: string;
  /** Null in the refresh token of a session that does not expire. */
  exp: number | null;
};

type Key = { kid: string; publicKey: CryptoKey; privateKey: CryptoKey; jwk: JWK; createdAt: number };

/**
 * Ed25519 tokens. All processes share the keys through the database, where private keys are encrypted. A new key takes over
 * signing. Old keys still verify tokens, because refresh tokens can be valid indefinitely, so rotation doesn't log anyone out.
 */
export function createTokens({ config, clock, broadcast }: Platform, system: () => Steps) {
  const sealingKey = deriveKey(config.secretKey, 'signing-keys');
  /** Keyed by `kid`, oldest first. */
  let keys = new Map<string, Key>();
  let reloadAfter = 0;

  async function load(): Promise<void> {
    const rows = await listSigningKeys(system().db);
    const opened = await Promise.all(rows.map((row) => keys.get(row.kid) ?? openKey(sealingKey, row)));
    keys = new Map(opened.map((key) => [key.kid, key]));
  }

  async function addKey(): Promise<string> {
    const row = await generateKey(sealingKey, clock.seconds());
    await system().transaction(async (ctx) => {
      await insertSigningKey(ctx.db, row);
      await ctx.publish(KEYS_SUBJECT);
    });
    await load();
    return row.kid;
  }

  /** The newest key that every process has loaded or, on the first run, the first key. */
  function signingKey(): Key {
    const all = [...keys.values()];
    const loadedBefore = clock.seconds() - SIGNING_DELAY_SECONDS;
    return all.findLast((key) => key.createdAt <= loadedBefore) ?? all[0]!;
  }

  /** Loads a key that another process has added. Unknown `kid`s cost at most one read every few seconds. */
  const verifyingKey: CompactVerifyGetKey = async ({ kid = '' }) => {
    if (!keys.has(kid) && clock.seconds() >= reloadAfter) {
      reloadAfter = clock.seconds() + RELOAD_PAUSE_SECONDS;
      await load();
    }
    const key = keys.get(kid);
    if (!key) throw new errors.JWKSNoMatchingKey();
    return key.publicKey;
  };

  /** Signs a plain JWS, because claims may contain `exp: null`, which jose rejects in a JWT. */
  function issue(claims: Omit<Claims, 'jti'>): Promise<string> {
    const { kid, privateKey } = signingKey();
    const payload: Claims = { ...claims, jti: randomUUID() };
    return new CompactSign(Buffer.from(JSON.stringify(payload)))
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid })
      .sign(privateKey);
  }

  /** Returns the claims, or null if the token is not exactly as issued. */
  async function read(type: TokenType, token: string): Promise<Claims | null> {
    if (token.length > MAX_LENGTH || !hasCanonicalSignature(token)) return null;
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

  return {
    /** Loads the keys. On the first run, creates one. */
    async start(): Promise<void> {
      await load();
      if (keys.size === 0) await addKey();
    },
    issue,
    read,
    rotate: addKey,
    jwks: () => ({ keys: [...keys.values()].map(({ kid, jwk }) => ({ ...jwk, kid, alg: ALGORITHM, use: 'sig' })) }),
  };
}

export type Tokens = ReturnType<typeof createTokens>;

async function generateKey(sealingKey: Buffer, createdAt: number): Promise<SigningKeyRow> {
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

/** Base64 decoding ignores some bits of the last character, so several encodings decode to the same bytes. Only the canonical one is valid. */
function hasCanonicalSignature(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}
