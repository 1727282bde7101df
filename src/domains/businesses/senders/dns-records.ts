/** The DNS records of a sender domain: their required values, and which of them are published. Pure. */

export const PURPOSES = ['OWNERSHIP', 'DKIM', 'SPF', 'DMARC'] as const;
type Purpose = (typeof PURPOSES)[number];
/** The result of the last check. Null where the name servers did not respond. */
export type Found = Partial<Record<Purpose, readonly string[] | null>>;
type RecordState = 'OK' | 'MISSING' | 'WRONG' | 'UNKNOWN';

export type DnsRecord = {
  purpose: Purpose;
  type: 'TXT';
  name: string;
  /** The value to publish. */
  value: string;
  state: RecordState;
  found: string[];
};

type Domain = {
  domain: string;
  selector: string;
  publicKey: string;
  found: Found;
  /** Proves that the business controls the domain. */
  proof: string;
  /** The domain whose SPF record lists the mail servers of the service. */
  serviceDomain: string;
};

export const recordNames = ({ domain, selector }: Pick<Domain, 'domain' | 'selector'>): Record<Purpose, string> => ({
  OWNERSHIP: `_souk.${domain}`,
  DKIM: `${selector}._domainkey.${domain}`,
  SPF: domain,
  DMARC: `_dmarc.${domain}`,
});

/** A policy of a parent domain also applies to its subdomains. */
export function parentPolicies(domain: string): string[] {
  const labels = domain.split('.');
  return labels.slice(1, -1).map((_, i) => `_dmarc.${labels.slice(i + 1).join('.')}`);
}

export function recordsOf(sender: Domain): DnsRecord[] {
  const names = recordNames(sender);
  return PURPOSES.map((purpose) => {
    const found = sender.found[purpose];
    const all = (found ?? []).filter((text) => BELONGS[purpose].test(text));
    const { value, state } = EXPECTED[purpose](sender, all);
    return { purpose, type: 'TXT', name: names[purpose], value, state: found ? state : 'UNKNOWN', found: all };
  });
}

/** Whether both required records are published. */
export const hasRequiredRecords = (records: readonly DnsRecord[]) =>
  records.every(({ purpose, state }) => state === 'OK' || purpose === 'SPF' || purpose === 'DMARC');

/** Whether one of them is definitely gone. */
export const lacksRequiredRecord = (records: readonly DnsRecord[]) =>
  records.some(
    ({ purpose, state }) =>
      (purpose === 'OWNERSHIP' || purpose === 'DKIM') && (state === 'MISSING' || state === 'WRONG'),
  );

/** A name can have unrelated records. */
const BELONGS: Record<Purpose, RegExp> = {
  OWNERSHIP: /^souk-mail=/i,
  DKIM: /(^|;)\s*(v\s*=\s*DKIM1|p\s*=)/i,
  SPF: /^v=spf1(\s|$)/i,
  DMARC: /^v\s*=\s*DMARC1\s*(;|$)/i,
};

type Expected = { value: string; state: RecordState };

const EXPECTED: Record<Purpose, (sender: Domain, found: readonly string[]) => Expected> = {
  OWNERSHIP: ({ proof }, found) => ({
    value: proof,
    state: found.includes(proof) ? 'OK' : found.length > 0 ? 'WRONG' : 'MISSING',
  }),
  DKIM: ({ publicKey }, found) => ({
    value: `v=DKIM1; k=rsa; p=${publicKey}`,
    state: singleRecordState(found, (text) => tagOf(text, 'p')?.replaceAll(/\s/g, '') === publicKey),
  }),
  SPF: ({ domain, serviceDomain }, found) => {
    const include = `include:${serviceDomain}`;
    const [first] = found;
    if (first === undefined) return { value: `v=spf1 ${include} ~all`, state: 'MISSING' };
    const isListed = domain === serviceDomain || first.toLowerCase().split(/\s+/).includes(include);
    const value = isListed ? first : first.replace(/^v=spf1/i, `v=spf1 ${include}`);
    return { value, state: singleRecordState(found, () => isListed) };
  },
  DMARC: (_sender, found) => {
    const state = singleRecordState(found, (text) => /^(none|quarantine|reject)$/i.test(tagOf(text, 'p') ?? ''));
    return { value: state === 'OK' ? found[0]! : 'v=DMARC1; p=none', state };
  },
};

/** Receivers ignore all records if there are several. */
const singleRecordState = (found: readonly string[], isRight: (text: string) => boolean): RecordState =>
  found.length === 0 ? 'MISSING' : found.length === 1 && isRight(found[0]!) ? 'OK' : 'WRONG';

/** The value of `p` in `v=DKIM1; k=rsa; p=…`. */
const tagOf = (text: string, name: string): string | undefined =>
  text
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.toLowerCase().replaceAll(/\s/g, '').startsWith(`${name}=`))
    ?.replace(/^[^=]*=\s*/, '')
    .trim();
