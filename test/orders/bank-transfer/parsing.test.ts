import assert from 'node:assert/strict';
import test from 'node:test';
import { withKeys } from '../../../src/domains/orders/bank-transfer/entry.ts';
import { parseStatement } from '../../../src/domains/orders/bank-transfer/parse-statement.ts';
import { orderNumbersIn, referenceOf } from '../../../src/domains/orders/bank-transfer/reference.ts';
import { ServiceError } from '../../../src/shared/errors.ts';
import { isIban } from '../../../src/shared/iban.ts';
import { cpuMs, LINEAR_MS } from '../../cpu.ts';
import { ACCOUNT, camt, sparkasse } from './files.ts';

const parse = (text: string, encoding: BufferEncoding = 'utf8') => parseStatement(Buffer.from(text, encoding));
const only = (text: string, encoding: BufferEncoding = 'utf8') => {
  const { entries } = parse(text, encoding);
  assert.equal(entries.length, 1, JSON.stringify(entries));
  return entries[0]!;
};

test('an IBAN with a typo is detected', () => {
  for (const iban of [ACCOUNT, 'GB82WEST12345698765432', 'NO9386011117947', 'FR1420041010050500013M02606'])
    assert.ok(isIban(iban), iban);
  for (const iban of ['DE89370400440532013001', 'DE98370400440532013000', 'DE8937040044', ACCOUNT.toLowerCase(), ''])
    assert.ok(!isIban(iban), iban);
});

test('the reference of an order is a creditor reference that survives messy remittance text', () => {
  assert.deepEqual(orderNumbersIn('RF18 5390 0754 7034'), [539007547034], 'the example of the standard');
  for (const number of [1, 42, 999_999, 1_000_000, 123_456_789]) {
    const reference = referenceOf(number);
    const spread = reference.replaceAll(/(.)/g, '$1 ');
    for (const text of [
      reference,
      `Order ${reference}, thank you`,
      reference.toLowerCase(),
      spread,
      `EREF+NOTPROVIDED SVWZ+${spread}`,
      `Rechnung/${reference.slice(0, 3)}-${reference.slice(3, 7)}.${reference.slice(7)} vom Max`,
      `ORDER${reference}\n${'x'.repeat(20)}`,
      reference.replaceAll('0', 'O').replaceAll('1', 'l'),
      `RF RF ${reference}`,
    ])
      assert.deepEqual(orderNumbersIn(text), [number], text);
  }
  assert.deepEqual(orderNumbersIn(`${referenceOf(42)} 20261117 4711`), [42], 'digits after the reference');
  assert.deepEqual(orderNumbersIn(`${referenceOf(41)} ${referenceOf(42)}`), [41, 42]);
});

test('a single wrong digit or two swapped digits match no order', () => {
  const reference = referenceOf(123_456);
  for (let i = 2; i < reference.length; i++) {
    for (const digit of '0123456789') {
      if (digit === reference[i]) continue;
      assert.deepEqual(orderNumbersIn(reference.slice(0, i) + digit + reference.slice(i + 1)), []);
    }
    const swapped = reference.slice(0, i) + (reference[i + 1] ?? '') + reference[i] + reference.slice(i + 2);
    if (swapped !== reference) assert.deepEqual(orderNumbersIn(swapped), [], swapped);
  }
  for (const text of ['', 'RF', 'Order 42', 'RF34 42', 'IRF00000000']) assert.deepEqual(orderNumbersIn(text), []);
});

test('a CAMT.053 file yields its booked credits, with the transactions of batch entries', () => {
  const credit = { amount: '49.90', text: 'RF34 000042', ref: 'A1' };
  const debit = { amount: '5.00', text: 'Fee', indicator: 'DBIT' };
  const { entries, skipped, iban, format } = parse(camt([credit, debit]));
  assert.deepEqual([entries.length, skipped, iban, format], [1, 1, ACCOUNT, 'CAMT']);
  assert.deepEqual(entries[0], {
    amount: 4990,
    currency: 'eur',
    date: '2026-11-17',
    name: 'Ada Lovelace',
    iban: 'DE02120300000000202051',
    text: 'RF34 000042',
    bankRef: 'A1',
  });
  const collective = camt([{ amount: '30.00', text: 'one' }]).replace(
    /<TxDtls>(.*)<\/TxDtls>/s,
    (_, inside: string) =>
      `<TxDtls><Amt Ccy="EUR">10</Amt>${inside}</TxDtls><TxDtls><AmtDtls><TxAmt><Amt Ccy="EUR">20.00</Amt></TxAmt></AmtDtls>${inside}</TxDtls>`,
  );
  assert.deepEqual(
    parse(collective).entries.map(({ amount }) => amount),
    [1000, 2000],
  );
  const structured = camt([credit]).replace(
    /<Ustrd>.*<\/Ustrd>/,
    '<Strd><CdtrRefInf><Ref>RF34000042</Ref></CdtrRefInf></Strd>',
  );
  assert.deepEqual(orderNumbersIn(only(structured).text), [42]);
  const pending = camt([credit]).replace('BOOK', 'PDNG');
  assert.deepEqual(parse(pending).entries, []);
});

test('CSV exports from different banks yield the same payment', () => {
  const expected = { amount: 123_456, currency: 'eur', date: '2026-11-17' };
  const text = 'RF34 000042';
  const files: Record<string, [string, BufferEncoding?]> = {
    sparkasse: [sparkasse([['17.11.26', 'Jürgen Groß', text, '1.234,56']]), 'latin1'],
    dkb: [
      `\ufeff"Girokonto";"${ACCOUNT}"\n"Kontostand vom 17.11.2026:";"1.000,00 €"\n""\n"Buchungsdatum";"Wertstellung";"Status";"Zahlungspflichtige*r";"Zahlungsempfänger*in";"Verwendungszweck";"Umsatztyp";"IBAN";"Betrag (€)"\n"17.11.26";"17.11.26";"Gebucht";"Jürgen Groß";"Souk";"${text}";"Eingang";"DE02120300000000202051";"1.234,56"\n`,
    ],
    ing: [
      `Umsatzanzeige;Datei erstellt am: 17.11.2026\n\nIBAN;${ACCOUNT}\nSaldo;5,00;EUR\n\nBuchung;Wertstellungsdatum;Auftraggeber/Empfänger;Buchungstext;Verwendungszweck;Saldo;Währung;Betrag;Währung\n17.11.2026;17.11.2026;Jürgen Groß;Gutschrift;${text};9.999,00;EUR;1.234,56;EUR`,
      'latin1',
    ],
    volksbank: [
      `Bezeichnung Auftragskonto;IBAN Auftragskonto;BIC Auftragskonto;Bankname Auftragskonto;Buchungstag;Valutadatum;Name Zahlungsbeteiligter;IBAN Zahlungsbeteiligter;BIC (SWIFT-Code) Zahlungsbeteiligter;Buchungstext;Verwendungszweck;Betrag;Waehrung\nKonto;${ACCOUNT};X;VR;17.11.2026;17.11.2026;Jürgen Groß;DE02120300000000202051;X;Gutschrift;${text};1234,56;EUR`,
    ],
    deutscheBank: [
      `Umsätze\nKonto;${ACCOUNT}\nBuchungstag;Wert;Umsatzart;Begünstigter / Auftraggeber;Verwendungszweck;IBAN;BIC;Kundenreferenz;Soll;Haben;Währung\n17.11.2026;17.11.2026;SEPA;Jürgen Groß;${text};DE02120300000000202051;X;;;1.234,56;EUR\n17.11.2026;17.11.2026;Fee;Bank;Fee;;;;-5,00;;EUR`,
    ],
    n26: [
      `"Booking Date","Value Date","Partner Name","Partner Iban",Type,"Payment Reference","Account Name","Amount (EUR)"\n2026-11-17,2026-11-17,"Jürgen Groß",DE02120300000000202051,"Credit Transfer","${text}",Main,1234.56`,
    ],
    wise: [
      `"TransferWise ID",Date,Amount,Currency,Description,"Payment Reference","Payer Name"\nTRANSFER-1,17-11-2026,1234.56,EUR,"Received, thanks",${text},Jürgen Groß`,
    ],
  };
  for (const [bank, [file, encoding]] of Object.entries(files)) {
    const { amount, currency, date, name, text: found } = only(file, encoding);
    assert.deepEqual({ amount, currency, date }, expected, bank);
    assert.equal(name, 'Jürgen Groß', bank);
    assert.deepEqual(orderNumbersIn(found), [42], bank);
  }
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(files.n26![0], 'utf16le')]);
  assert.equal(parseStatement(utf16).entries[0]!.amount, 123_456);
});

test('a payment has the same key in every file, and identical payments have different keys', () => {
  const [a, b] = [
    { amount: '1.00', text: 'a', ref: 'R1' },
    { amount: '1.00', text: 'b' },
  ];
  const keys = (...credits: Parameters<typeof camt>[0]) => withKeys(parse(camt(credits))).map(({ key }) => key);
  assert.deepEqual(keys(b, a).toReversed(), keys(a, b));
  assert.equal(new Set(keys(b, b, b)).size, 3);
  assert.deepEqual(keys(b, b).slice(0, 1), keys(b));
  assert.notDeepEqual(keys({ ...a, ref: 'NONREF' }), keys({ ...a, ref: 'NONREF', text: 'c' }));
});

test('a missing end-to-end reference is not shown as the text of a payment', () => {
  const header = 'Buchungstag;Verwendungszweck;Kundenreferenz (End-to-End);Betrag;Waehrung';
  const [entry] = withKeys(parse(`${header}\n17.11.26;RF34 000042;NOTPROVIDED;1,00;EUR`));
  assert.equal(entry!.text, 'RF34 000042');
});

test('a broken or hostile file is rejected with a reason', () => {
  const laughs = `<!DOCTYPE lolz [<!ENTITY a "ha">${'bcdefghij'.replaceAll(/./g, (c) => `<!ENTITY ${c} "${`&${String.fromCharCode(c.charCodeAt(0) - 1)};`.repeat(10)}">`)}]><Document>&j;</Document>`;
  const files: Record<string, string> = {
    empty: '',
    cut: camt([{ amount: '1.00', text: 'x' }]).slice(0, 300),
    laughs,
    doctype: camt([]).replace('<Document', '<!DOCTYPE Document [<!ENTITY a "b">]><Document'),
    external: '<!DOCTYPE x SYSTEM "file:///etc/passwd"><x/>',
    entity: camt([{ amount: '1.00', text: '&undefined;' }]),
    deep: '<a>'.repeat(500_000),
    deepAndHidden: `${'<a x="/>">'.repeat(150_000)}${'</a>'.repeat(150_000)}`,
    other: '<html><body>Log in</body></html>',
    zip: 'PK\u0003\u0004',
    binary: 'a\0b',
    prose: 'Dear customer;\nthis is not a statement.',
  };
  for (const [name, file] of Object.entries(files)) {
    assert.throws(
      () => parse(file),
      (error) => error instanceof ServiceError && error.kind !== undefined,
      name,
    );
  }
  const rows = Array.from({ length: 5001 }, () => ['17.11.26', 'A', 'x', '1,00'] as [string, string, string, string]);
  assert.throws(() => withKeys(parse(sparkasse(rows))), /5000/);
  const bad = ['99.99.2026', '17.11.26'] as const;
  const { entries, skipped } = parse(
    sparkasse([
      [bad[0], 'A', 'x', '1,00'],
      [bad[1], 'A', 'x', 'many'],
      [bad[1], 'A', 'x', '-1,00'],
    ]),
  );
  assert.deepEqual([entries.length, skipped], [0, 3]);
});

test('a 2 MiB file of repeated text is read in a single pass', () => {
  const zeros = `date;amount\n2026-11-17;1.${'0'.repeat(2_000_000)}1\n2026-11-17;1.00\n`;
  assert.deepEqual([parse(zeros).entries.length, parse(zeros).skipped], [1, 1]);
  const transactions = '<TxDtls><Amt Ccy="EUR">1.00</Amt></TxDtls>'.repeat(20_000);
  const collective = camt([{ amount: '1.00', text: 'x' }]).replace(
    /<NtryDtls>.*<\/NtryDtls>/s,
    `${'<x/>'.repeat(250_000)}<NtryDtls>${transactions}</NtryDtls>`,
  );
  assert.equal(parse(collective).entries.length, 20_000);
});

test('XML that is slow to parse is rejected before it is parsed', () => {
  const files: [message: RegExp, xml: string][] = [
    [/too many attributes/, `<Document ${Array.from({ length: 80_000 }, (_, i) => `a${i}="b"`).join(' ')}/>`],
    [/too many nested elements/, '<a>'.repeat(100_000)],
    [/too many elements/, `<a>${'<b/>'.repeat(450_000)}</a>`],
    [/too many character references/, `<a>${'&lt;'.repeat(300_000)}</a>`],
    [/not valid XML/, `<a>${'<!--'.repeat(300_000)}`],
  ];
  for (const [message, xml] of files) {
    const ms = cpuMs(() => assert.throws(() => parse(xml), { kind: 'VALIDATION_FAILED', message }));
    assert.ok(ms < LINEAR_MS, `${message}: ${Math.round(ms)} ms`);
  }
});
