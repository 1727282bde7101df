/** Reads account statements in the ISO 20022 formats CAMT.053 and CAMT.052. Pure. */
import { parseXml, type XmlDocument, XmlElement } from '@rgrove/parse-xml';
import { ServiceError } from '../../../shared/errors.ts';
import { plainIban } from '../../../shared/iban.ts';
import { checkXml } from './check-xml.ts';
import { isoDate, minorOf, type ParsedEntry, type ParsedStatement, unreadable } from './entry.ts';

export function parseCamt(xml: string): ParsedStatement {
  // Statements have no document type declaration. Without one, a file can't define entities.
  if (/<!DOCTYPE/i.test(xml)) throw unreadable('The file contains a document type declaration, which is not allowed.');
  checkXml(xml);
  try {
    return readMessage(parseXml(xml));
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw unreadable('The file is not valid XML. Download it from your bank again.');
  }
}

function readMessage({ root }: XmlDocument): ParsedStatement {
  const statements = root
    ? childrenOf(root)
        .flatMap((message) => childrenOf(message))
        .filter(isStatement)
    : [];
  if (statements.length === 0) throw unreadable('The file is not a CAMT.053 bank statement.');
  const entries: ParsedEntry[] = [];
  let skipped = 0;
  const accounts = new Set<string>();
  for (const statement of statements) {
    const account = textAt(statement, 'Acct', 'Id', 'IBAN');
    if (account) accounts.add(plainIban(account));
    for (const entry of childrenOf(statement, 'Ntry')) {
      const payments = isIncoming(entry) ? paymentsOf(entry) : [];
      if (payments.length === 0) skipped++;
      entries.push(...payments);
    }
  }
  return { format: 'CAMT', iban: accounts.size === 1 ? [...accounts][0]! : null, skipped, entries };
}

const isStatement = ({ name }: XmlElement) => ['Stmt', 'Rpt'].includes(localName(name));

/** Booked credits, without reversals of debits. */
function isIncoming(entry: XmlElement): boolean {
  const status = textAt(entry, 'Sts', 'Cd') || textAt(entry, 'Sts') || 'BOOK';
  return status === 'BOOK' && textAt(entry, 'CdtDbtInd') === 'CRDT' && textAt(entry, 'RvslInd') !== 'true';
}

/** A batch entry has several transactions. */
function paymentsOf(entry: XmlElement): ParsedEntry[] {
  const transactions = childrenOf(entry, 'NtryDtls').flatMap((details) => childrenOf(details, 'TxDtls'));
  const date = ['BookgDt', 'ValDt']
    .flatMap((name) => [textAt(entry, name, 'Dt'), textAt(entry, name, 'DtTm')])
    .map(isoDate)
    .find((each) => each !== null);
  const entryRef = textAt(entry, 'AcctSvcrRef');
  const whole = at(entry, 'Amt');
  const isSingle = transactions.length < 2;
  return (isSingle ? [transactions[0] ?? entry] : transactions).flatMap((transaction) => {
    const amounts = [at(transaction, 'Amt'), at(transaction, 'AmtDtls', 'TxAmt', 'Amt')];
    const element = isSingle ? whole : amounts.find((each) => each !== null);
    const currency = element?.attributes.Ccy ?? '';
    if (!element || !date || !/^[A-Z]{3}$/.test(currency)) return [];
    const amount = minorOf(element.text.trim(), currency, '.');
    if (!amount || amount < 0) return [];
    return [
      { amount, currency: currency.toLowerCase(), date, ...payerOf(transaction), ...refsOf(transaction, entryRef) },
    ];
  });
}

function payerOf(transaction: XmlElement) {
  const name = textAt(transaction, 'RltdPties', 'Dbtr', 'Nm') || textAt(transaction, 'RltdPties', 'Dbtr', 'Pty', 'Nm');
  const iban = textAt(transaction, 'RltdPties', 'DbtrAcct', 'Id', 'IBAN');
  return { name: name || null, iban: iban ? plainIban(iban) : null };
}

function refsOf(transaction: XmlElement, entryRef: string) {
  const remittance = childrenOf(transaction, 'RmtInf').flatMap((info) => [
    ...childrenOf(info, 'Ustrd').map(({ text }) => text),
    ...childrenOf(info, 'Strd').map((structured) => textAt(structured, 'CdtrRefInf', 'Ref')),
  ]);
  const more = [textAt(transaction, 'AddtlTxInf'), textAt(transaction, 'Refs', 'EndToEndId')];
  const text = [...remittance, ...more].filter((each) => each && each !== 'NOTPROVIDED').join(' ');
  const bankRef = textAt(transaction, 'Refs', 'AcctSvcrRef') || textAt(transaction, 'Refs', 'TxId') || entryRef;
  return { text, bankRef: bankRef || null };
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1);

const childrenOf = (element: XmlElement, name?: string): XmlElement[] =>
  element.children.filter(
    (child): child is XmlElement =>
      child instanceof XmlElement && (name === undefined || localName(child.name) === name),
  );

const at = (element: XmlElement, ...path: string[]): XmlElement | null =>
  path.reduce<XmlElement | null>((found, name) => (found && childrenOf(found, name)[0]) ?? null, element);

const textAt = (element: XmlElement, ...path: string[]): string => at(element, ...path)?.text.trim() ?? '';
