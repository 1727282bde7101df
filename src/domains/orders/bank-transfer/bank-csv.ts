/** Reads the CSV exports of banks. Columns are found by their names, wherever the table starts. Pure. */
import { isIban, plainIban } from '../../../shared/iban.ts';
import { isoDate, minorOf, type ParsedEntry, type ParsedStatement, unreadable } from './entry.ts';

/** Column names of German, Austrian, Swiss and international banks, as `plainName` returns them, in order of preference. */
const COLUMNS = {
  date: [
    ...['buchungstag', 'buchungsdatum', 'buchung', 'bookingdate', 'dateofbooking', 'datecompletedutc', 'datum'],
    ...['date', 'transactiondate', 'valutadatum', 'wertstellung', 'valuedate', 'settlementdateutc', 'datedoperation'],
  ],
  amount: [
    ...['betrag', 'betrageur', 'betrageuro', 'betragineur', 'umsatz', 'umsatzineur', 'amount', 'amounteur'],
    ...['buchungsbetrag', 'totalamount', 'montant', 'bedrag', 'importe', 'importo'],
  ],
  credit: ['haben', 'habeneur', 'gutschrift', 'gutschriftineur', 'credit', 'creditamount', 'moneyin', 'paidin'],
  debitOrCredit: ['sollhaben', 'afbij', 'creditdebit', 'debitcredit', 'creditdebitindicator'],
  currency: ['waehrung', 'waehrg', 'currency', 'buchungswaehrung', 'paymentcurrency', 'devise', 'valuta'],
  name: [
    ...['beguenstigterzahlungspflichtiger', 'namezahlungsbeteiligter', 'zahlungspflichtiger', 'auftraggeberempfaenger'],
    ...['auftraggeberbeguenstigter', 'beguenstigterauftraggeber', 'auftraggeber', 'zahlungspartner', 'partnername'],
    ...['partner', 'payername', 'payer', 'counterpartyname', 'counterparty', 'name', 'gegenpartei', 'payee'],
  ],
  iban: [
    ...['kontonummeriban', 'ibanzahlungsbeteiligter', 'ibandesauftraggebers', 'partneriban', 'counterpartyiban'],
    ...['gegenkontoiban', 'ibanauftraggeber', 'payeriban', 'iban', 'kontonummer', 'accountnumber', 'tegenrekening'],
  ],
  account: ['auftragskonto', 'ibanauftragskonto', 'ibankontoinhaber', 'eigenesiban', 'accountiban', 'kontoiban'],
  state: ['status', 'state', 'info', 'buchungsstatus'],
  ref: ['transactionid', 'transferwiseid', 'id', 'umsatzid', 'bankreferenz', 'archivierungscode', 'transaktionsid'],
} as const;
type Column = keyof typeof COLUMNS;

/** The reference can be in any of these. */
const TEXT_COLUMNS = [
  ...['verwendungszweck', 'verwendungszweckzeile1', 'zahlungsreferenz', 'kundenreferenz', 'kundenreferenzendtoend'],
  ...['buchungstext', 'buchungsdetails', 'paymentreference', 'reference', 'description', 'remittanceinformation'],
  ...['mitteilung', 'zahlungszweck', 'details', 'memo', 'communication', 'libelle', 'mededelingen', 'concepto'],
  ...['buchungsinformation', 'avisierungstext', 'endtoendid', 'endtoendreferenz', 'referenz'],
];

const DELIMITERS = [';', ',', '\t', '|'];
const MAX_HEADER_ROWS = 40;
const MAX_COLUMNS = 200;
const NOT_BOOKED = /vorgemerkt|pending|reverted|declined|failed|storniert|cancel/i;

export function parseBankCsv(text: string): ParsedStatement {
  const hint = /^sep=(.)\r?\n/i.exec(text)?.[1];
  const delimiters = hint ? [hint] : DELIMITERS;
  const found = delimiters
    .map((delimiter) => ({ delimiter, header: findHeader(readRows(text, delimiter, MAX_HEADER_ROWS)) }))
    .find(({ header }) => header !== null);
  if (!found) {
    throw unreadable(
      'The file has no columns for date and amount. Export the transactions as CAMT.053, or as CSV with a header row.',
    );
  }
  const rows = readRows(text, found.delimiter);
  return readTable(rows, found.header!);
}

type Header = { row: number; columns: Partial<Record<Column, number>>; texts: number[]; currency: string | null };

/** The first row with columns for date and amount. Many files start with the account and its balance. */
function findHeader(rows: readonly string[][]): Header | null {
  for (const [row, cells] of rows.entries()) {
    if (cells.length > MAX_COLUMNS) continue;
    const names = cells.map(plainName);
    const columns = Object.fromEntries(
      Object.entries(COLUMNS).flatMap(([column, known]) => {
        const name = known.find((each) => names.includes(each));
        // ING's files have two currency columns. The last one belongs to the amount.
        return name === undefined
          ? []
          : [[column, column === 'currency' ? names.lastIndexOf(name) : names.indexOf(name)]];
      }),
    ) as Header['columns'];
    if (columns.date === undefined || (columns.amount ?? columns.credit) === undefined) continue;
    const texts = names.flatMap((name, i) => (TEXT_COLUMNS.includes(name) ? [i] : []));
    const amount = cells[columns.amount ?? columns.credit!]!;
    return { row, columns, texts, currency: /€|eur/i.test(amount) ? 'EUR' : null };
  }
  return null;
}

/** `Betrag (€)` is `betrag`, `Währung` is `waehrung`. */
const plainName = (cell: string) =>
  cell
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/[^a-z0-9]/g, '');

function readTable(rows: readonly string[][], header: Header): ParsedStatement {
  const { columns, texts } = header;
  const body = rows.slice(header.row + 1);
  const preamble = rows
    .slice(0, header.row)
    .flat()
    .flatMap((cell) => cell.split(/[:;]/))
    .map(plainIban);
  const amountColumn = columns.amount ?? columns.credit!;
  const decimal = body.some((cells) => /,\d{1,2}\D*$/.test(cells[amountColumn] ?? '')) ? ',' : '.';
  const accounts = new Set(body.map((cells) => plainIban(cells[columns.account ?? -1] ?? '')).filter(isIban));
  const entries: ParsedEntry[] = [];
  let skipped = 0;
  for (const cells of body) {
    const cell = (column: Column) => cells[columns[column] ?? -1]?.trim() ?? '';
    if (cells.every((each) => each.trim() === '')) continue;
    const currency = (/^[A-Za-z]{3}$/.exec(cell('currency'))?.[0] ?? header.currency ?? 'EUR').toUpperCase();
    const date = isoDate(cell('date'));
    const amount = minorOf(cells[amountColumn] ?? '', currency, decimal);
    const isDebit = /^(s|soll|d|dbit|debit|af)$/i.test(cell('debitOrCredit'));
    if (!date || !amount || amount < 0 || isDebit || NOT_BOOKED.test(cell('state'))) {
      skipped++;
      continue;
    }
    const iban = plainIban(cell('iban'));
    entries.push({
      amount,
      currency: currency.toLowerCase(),
      date,
      name: cell('name') || null,
      iban: isIban(iban) ? iban : null,
      text: texts
        .map((i) => cells[i]?.trim())
        .filter(Boolean)
        .join(' '),
      bankRef: cell('ref') || null,
    });
  }
  const own = accounts.size === 1 ? [...accounts][0]! : (preamble.find(isIban) ?? null);
  return { format: 'CSV', iban: own, skipped, entries };
}

/** RFC 4180 with any delimiter. A quote within an unquoted cell is text. */
function readRows(text: string, delimiter: string, maxRows = Number.POSITIVE_INFINITY): string[][] {
  const rows: string[][] = [];
  let cells: string[] = [];
  let at = 0;
  while (at <= text.length && rows.length < maxRows) {
    let cell: string;
    if (text[at] === '"') {
      let end = at + 1;
      for (;;) {
        end = text.indexOf('"', end);
        if (end === -1 || text[end + 1] !== '"') break;
        end += 2;
      }
      if (end === -1) end = text.length;
      cell = text.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
      while (at < text.length && text[at] !== delimiter && text[at] !== '\n') at++;
    } else {
      const start = at;
      while (at < text.length && text[at] !== delimiter && text[at] !== '\n') at++;
      cell = text.slice(start, at).replace(/\r$/, '');
    }
    cells.push(cell);
    if (at >= text.length || text[at] === '\n') {
      rows.push(cells);
      cells = [];
      if (at >= text.length) break;
    }
    at++;
  }
  return rows;
}
