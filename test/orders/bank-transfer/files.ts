/** Bank statements for tests. */
export type Credit = {
  amount: string;
  text: string;
  name?: string;
  iban?: string;
  ref?: string;
  currency?: string;
  indicator?: string;
};

export const ACCOUNT = 'DE89370400440532013000';

export const camt = (credits: readonly Credit[]) => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr>
<Stmt><Id>1</Id><Acct><Id><IBAN>${ACCOUNT}</IBAN></Id></Acct>${credits.map(entry).join('')}</Stmt></BkToCstmrStmt></Document>`;

const entry = ({ amount, text, name = 'Ada Lovelace', iban, ref, currency = 'EUR', indicator = 'CRDT' }: Credit) => `
<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${indicator}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
<BookgDt><Dt>2026-11-17</Dt></BookgDt>${ref ? `<AcctSvcrRef>${ref}</AcctSvcrRef>` : ''}
<NtryDtls><TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs>
<RltdPties><Dbtr><Pty><Nm>${name}</Nm></Pty></Dbtr>
<DbtrAcct><Id><IBAN>${iban ?? 'DE02120300000000202051'}</IBAN></Id></DbtrAcct></RltdPties>
<RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`;

/** The CAMT CSV of the German savings banks. */
export const sparkasse = (rows: readonly [date: string, name: string, text: string, amount: string][]) =>
  [
    '"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Beguenstigter/Zahlungspflichtiger";"Kontonummer/IBAN";"BIC (SWIFT-Code)";"Betrag";"Waehrung";"Info"',
    ...rows.map(
      ([date, name, text, amount]) =>
        `"${ACCOUNT}";"${date}";"${date}";"GUTSCHR. UEBERWEISUNG";"${text}";"${name}";"DE02120300000000202051";"BYLADEM1001";"${amount}";"EUR";"Umsatz gebucht"`,
    ),
  ].join('\r\n');
