/** XRechnung in UBL 2.1 syntax. The order of elements is fixed. Pure. */
import { isCountry } from '../../../../shared/addresses/index.ts';
import type { Address } from '../../../../shared/schemas.ts';
import { type DocumentRow, numberOf } from '../queries.ts';
import type { Snapshot, SnapshotLine } from '../snapshot-schemas.ts';
import {
  DISCOUNT,
  FREIGHT,
  lineAmounts,
  nameOf,
  notesOf,
  PROCESS,
  paymentMeans,
  totalsOf,
  XRECHNUNG,
} from './e-invoice-parts.ts';
import { decimal, decimalsOf, plainDay } from './format.ts';
import { textsIn } from './texts.ts';
import { categoryOf, exemptionOf, sharesOf } from './vat-category.ts';
import { element, textElement, type XmlNode } from './xml.ts';

const SCHEMA = 'urn:oasis:names:specification:ubl:schema:xsd';
const NAMES = {
  INVOICE: {
    root: 'Invoice',
    type: 'cbc:InvoiceTypeCode',
    code: '380',
    line: 'cac:InvoiceLine',
    quantity: 'cbc:InvoicedQuantity',
  },
  CREDIT_NOTE: {
    root: 'CreditNote',
    type: 'cbc:CreditNoteTypeCode',
    code: '381',
    line: 'cac:CreditNoteLine',
    quantity: 'cbc:CreditedQuantity',
  },
};

export function writeUbl(document: DocumentRow): string {
  const { snapshot, type, currency, issuedAt } = document;
  const { orderNumber, corrects } = snapshot;
  const names = NAMES[type];
  const root = `${names.root} xmlns="${SCHEMA}:${names.root}-2" xmlns:cac="${SCHEMA}:CommonAggregateComponents-2" xmlns:cbc="${SCHEMA}:CommonBasicComponents-2"`;
  const content: XmlNode[] = [
    textElement('cbc:CustomizationID', XRECHNUNG),
    textElement('cbc:ProfileID', PROCESS),
    textElement('cbc:ID', numberOf(document)),
    textElement('cbc:IssueDate', day(issuedAt, snapshot)),
    textElement(names.type, names.code),
    // UBL has a single note field, so the notes are joined.
    textElement('cbc:Note', notesOf(document).join('\n')),
    textElement('cbc:DocumentCurrencyCode', currency.toUpperCase()),
    textElement('cbc:BuyerReference', `${orderNumber}`),
    element('cac:OrderReference', textElement('cbc:ID', `${orderNumber}`)),
    corrects &&
      element(
        'cac:BillingReference',
        element(
          'cac:InvoiceDocumentReference',
          textElement('cbc:ID', corrects.number),
          textElement('cbc:IssueDate', day(corrects.issuedAt, snapshot)),
        ),
      ),
    parties(snapshot),
    delivery(snapshot),
    payment(document),
    charges(document),
    totals(document),
    snapshot.lines.map((line, i) => lineOf(document, line, i)),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(root, content)}\n`;
}

/** YYYY-MM-DD. */
const day = (seconds: number, { timeZone }: Snapshot) =>
  plainDay(seconds, timeZone).replace(/(\d{4})(\d\d)(\d\d)/, '$1-$2-$3');

const VAT = element('cac:TaxScheme', textElement('cbc:ID', 'VAT'));

const money = ({ currency }: Pick<DocumentRow, 'currency'>) => {
  const decimals = decimalsOf(currency);
  return (name: string, minor: number) =>
    textElement(`${name} currencyID="${currency.toUpperCase()}"`, decimal(minor, decimals));
};

const category = (name: string, bps: number, snapshot: Snapshot) =>
  element(name, textElement('cbc:ID', categoryOf(bps, snapshot)), textElement('cbc:Percent', decimal(bps, 2)), VAT);

function address(name: string, { street, street2, city, zip, state, country }: Partial<Address>): string {
  return element(
    name,
    textElement('cbc:StreetName', street),
    textElement('cbc:AdditionalStreetName', street2),
    textElement('cbc:CityName', city),
    textElement('cbc:PostalZone', zip),
    textElement('cbc:CountrySubentity', state),
    element('cac:Country', textElement('cbc:IdentificationCode', country)),
  );
}

const taxScheme = (scheme: 'VAT' | 'FC', id: string | undefined) =>
  id &&
  element(
    'cac:PartyTaxScheme',
    textElement('cbc:CompanyID', id.replaceAll(/\s/g, '')),
    element('cac:TaxScheme', textElement('cbc:ID', scheme)),
  );

function parties({ seller, buyer, buyerEmail }: Snapshot): XmlNode[] {
  const endpoint = (email: string | null | undefined) => textElement('cbc:EndpointID schemeID="EM"', email);
  return [
    element(
      'cac:AccountingSupplierParty',
      element(
        'cac:Party',
        endpoint(seller.email),
        address('cac:PostalAddress', seller.address),
        taxScheme('VAT', seller.vatId),
        taxScheme('FC', seller.taxNumber),
        element(
          'cac:PartyLegalEntity',
          textElement('cbc:RegistrationName', seller.name),
          textElement('cbc:CompanyLegalForm', seller.registration),
        ),
        element(
          'cac:Contact',
          textElement('cbc:Name', seller.name),
          textElement('cbc:Telephone', seller.phone),
          textElement('cbc:ElectronicMail', seller.email),
        ),
      ),
    ),
    element(
      'cac:AccountingCustomerParty',
      element(
        'cac:Party',
        endpoint(buyerEmail),
        address('cac:PostalAddress', buyer!),
        taxScheme('VAT', buyer!.vatId),
        element('cac:PartyLegalEntity', textElement('cbc:RegistrationName', nameOf(buyer!))),
        buyer!.company && element('cac:Contact', textElement('cbc:Name', buyer!.name)),
      ),
    ),
  ];
}

function delivery(snapshot: Snapshot): string {
  const { shipTo, suppliedAt } = snapshot;
  const isNamed = shipTo && isCountry(shipTo.country);
  return element(
    'cac:Delivery',
    suppliedAt !== null && textElement('cbc:ActualDeliveryDate', day(suppliedAt, snapshot)),
    isNamed && element('cac:DeliveryLocation', address('cac:Address', shipTo)),
    isNamed && element('cac:DeliveryParty', element('cac:PartyName', textElement('cbc:Name', nameOf(shipTo)))),
  );
}

function payment(document: DocumentRow): string {
  const { code, iban } = paymentMeans(document.snapshot);
  return element(
    'cac:PaymentMeans',
    textElement('cbc:PaymentMeansCode', code),
    textElement('cbc:PaymentID', numberOf(document)),
    element('cac:PayeeFinancialAccount', textElement('cbc:ID', iban)),
  );
}

/** Shipping. */
function charges({ snapshot, currency }: DocumentRow): XmlNode {
  const amount = money({ currency });
  return snapshot.shipping.map(({ bps, net }) =>
    element(
      'cac:AllowanceCharge',
      textElement('cbc:ChargeIndicator', 'true'),
      textElement('cbc:AllowanceChargeReasonCode', FREIGHT),
      textElement('cbc:AllowanceChargeReason', textsIn(snapshot.language).shipping),
      amount('cbc:Amount', net),
      category('cac:TaxCategory', bps, snapshot),
    ),
  );
}

function totals({ snapshot, currency, total }: DocumentRow): XmlNode[] {
  const amount = money({ currency });
  const { items, charges, tax } = totalsOf(snapshot);
  const subtotals = sharesOf(snapshot).map(({ bps, net, tax: taxed }) => {
    const kind = categoryOf(bps, snapshot);
    const exemption = exemptionOf(kind, textsIn(snapshot.language));
    return element(
      'cac:TaxSubtotal',
      amount('cbc:TaxableAmount', net),
      amount('cbc:TaxAmount', taxed),
      element(
        'cac:TaxCategory',
        textElement('cbc:ID', kind),
        textElement('cbc:Percent', decimal(bps, 2)),
        textElement('cbc:TaxExemptionReasonCode', exemption?.code),
        textElement('cbc:TaxExemptionReason', exemption?.text),
        VAT,
      ),
    );
  });
  return [
    element('cac:TaxTotal', amount('cbc:TaxAmount', tax), subtotals),
    element(
      'cac:LegalMonetaryTotal',
      amount('cbc:LineExtensionAmount', items),
      amount('cbc:TaxExclusiveAmount', items + charges),
      amount('cbc:TaxInclusiveAmount', total),
      amount('cbc:AllowanceTotalAmount', 0),
      amount('cbc:ChargeTotalAmount', charges),
      amount('cbc:PrepaidAmount', total),
      amount('cbc:PayableAmount', 0),
    ),
  ];
}

function lineOf(document: DocumentRow, line: SnapshotLine, i: number): string {
  const { snapshot, type, currency } = document;
  const names = NAMES[type];
  const texts = textsIn(snapshot.language);
  const amount = money(document);
  const { quantity, discount, price } = lineAmounts(document, line);
  return element(
    names.line,
    textElement('cbc:ID', `${i + 1}`),
    textElement(`${names.quantity} unitCode="C62"`, `${quantity}`),
    amount('cbc:LineExtensionAmount', line.share.net),
    discount > 0 &&
      element(
        'cac:AllowanceCharge',
        textElement('cbc:ChargeIndicator', 'false'),
        textElement('cbc:AllowanceChargeReasonCode', DISCOUNT),
        textElement('cbc:AllowanceChargeReason', texts.discount),
        amount('cbc:Amount', discount),
      ),
    element(
      'cac:Item',
      textElement('cbc:Description', line.details),
      textElement('cbc:Name', line.name.trim() || texts.description),
      element('cac:SellersItemIdentification', textElement('cbc:ID', line.sku)),
      category('cac:ClassifiedTaxCategory', line.share.bps, snapshot),
    ),
    element('cac:Price', textElement(`cbc:PriceAmount currencyID="${currency.toUpperCase()}"`, price)),
  );
}
