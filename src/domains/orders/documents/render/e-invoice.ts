/** E-invoices by EN 16931 in the syntax of UN/CEFACT CII, for Factur-X and XRechnung. Pure. */
import { isCountry } from '../../../../shared/addresses/index.ts';
import type { Address } from '../../../../shared/schemas.ts';
import { multiplyRoundHalfUp } from '../../../pricing/index.ts';
import { type DocumentRow, numberOf } from '../queries.ts';
import type { Snapshot, SnapshotLine, TaxShare } from '../snapshot-schemas.ts';
import { decimal, decimalsOf, plainDay } from './format.ts';
import { textsIn } from './texts.ts';
import { categoryOf, exemptionOf, sharesOf } from './vat-category.ts';
import { element, textElement, type XmlNode } from './xml.ts';

const EN_16931 = 'urn:cen.eu:en16931:2017';
const XRECHNUNG = `${EN_16931}#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0`;
const PROCESS = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';
const NAMESPACES =
  'xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" ' +
  'xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100" ' +
  'xmlns:qdt="urn:un:unece:uncefact:data:standard:QualifiedDataType:100" ' +
  'xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100"';
/** UNTDID 4461. */
const PAYMENT_MEANS: Record<string, string> = { CASH: '10', BANK_TRANSFER: '58', FREE: '1' };
const ONLINE_PAYMENT = '68';

/** Whether the document can be an e-invoice: it must be requested, and nothing that the rules require may be missing. */
export function isEInvoice({
  snapshot,
  currency,
  total,
}: Pick<DocumentRow, 'snapshot' | 'currency' | 'total'>): boolean {
  const { format, seller, buyer, buyerEmail, taxExempt } = snapshot;
  if (format === 'PDF' || !buyer || decimalsOf(currency) > 2) return false;
  const hasAddress = ({ street = '', city = '', country = '' }: Partial<Address>) =>
    street.trim() !== '' && city.trim() !== '' && isCountry(country);
  const hasParties = hasAddress(seller.address) && hasAddress(buyer) && nameOf(buyer) !== '';
  const hasTaxIds = taxExempt ? Boolean(seller.vatId && buyer.vatId) : Boolean(seller.vatId || seller.taxNumber);
  const hasContacts = [seller.email, seller.phone, seller.address.zip, buyer.zip, buyerEmail].every(Boolean);
  return (
    hasParties && hasTaxIds && (format === 'FACTUR_X' || hasContacts) && addsUp(snapshot, total, decimalsOf(currency))
  );
}

/** Totals that staff entered, or taxes of a provider, may not follow the rates. */
function addsUp(snapshot: Snapshot, total: number, decimals: number): boolean {
  const shares = sharesOf(snapshot);
  const unit = 10 ** decimals;
  const isNear = ({ bps, net, tax }: TaxShare) => Math.abs(multiplyRoundHalfUp(net, bps, 10_000) - tax) < unit;
  const whole = shares.reduce((sum, { net, tax }) => sum + net + tax, 0);
  return whole === total && shares.every((share) => share.net >= 0 && isNear(share));
}

const nameOf = ({ company, name }: Pick<Address, 'company' | 'name'>) => (company || name || '').trim();

export function writeEInvoice(document: DocumentRow): string {
  const { snapshot, type } = document;
  const isXRechnung = snapshot.format === 'XRECHNUNG';
  const context = element(
    'rsm:ExchangedDocumentContext',
    isXRechnung && element('ram:BusinessProcessSpecifiedDocumentContextParameter', textElement('ram:ID', PROCESS)),
    element(
      'ram:GuidelineSpecifiedDocumentContextParameter',
      textElement('ram:ID', isXRechnung ? XRECHNUNG : EN_16931),
    ),
  );
  const { legalText, reason } = snapshot;
  const header = element(
    'rsm:ExchangedDocument',
    textElement('ram:ID', numberOf(document)),
    textElement('ram:TypeCode', type === 'INVOICE' ? '380' : '381'),
    element('ram:IssueDateTime', day(document.issuedAt, snapshot)),
    [reason, legalText].map((text) => element('ram:IncludedNote', textElement('ram:Content', text))),
  );
  const transaction = element(
    'rsm:SupplyChainTradeTransaction',
    snapshot.lines.map((line, i) => lineOf(document, line, i)),
    agreement(document),
    delivery(snapshot),
    settlement(document),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(`rsm:CrossIndustryInvoice ${NAMESPACES}`, context, header, transaction)}\n`;
}

const day = (seconds: number, { timeZone }: Snapshot, name = 'udt:DateTimeString') =>
  textElement(`${name} format="102"`, plainDay(seconds, timeZone));

const vat = (bps: number, snapshot: Snapshot) => [
  textElement('ram:TypeCode', 'VAT'),
  textElement('ram:CategoryCode', categoryOf(bps, snapshot)),
  textElement('ram:RateApplicablePercent', decimal(bps, 2)),
];

function lineOf({ snapshot, currency }: DocumentRow, line: SnapshotLine, i: number): string {
  const texts = textsIn(snapshot.language);
  const decimals = decimalsOf(currency);
  const { share } = line;
  const quantity = line.quantity || 1;
  const discount = snapshot.taxIncluded
    ? multiplyRoundHalfUp(line.discount, 10_000, 10_000 + share.bps)
    : line.discount;
  // Six more digits, so that price times quantity is the amount of the line.
  const price = decimal(multiplyRoundHalfUp(share.net + discount, 1_000_000, quantity), decimals + 6);
  return element(
    'ram:IncludedSupplyChainTradeLineItem',
    element('ram:AssociatedDocumentLineDocument', textElement('ram:LineID', `${i + 1}`)),
    element(
      'ram:SpecifiedTradeProduct',
      textElement('ram:SellerAssignedID', line.sku),
      textElement('ram:Name', line.name.trim() || texts.description),
      textElement('ram:Description', line.details),
    ),
    element(
      'ram:SpecifiedLineTradeAgreement',
      element('ram:NetPriceProductTradePrice', textElement('ram:ChargeAmount', price)),
    ),
    element('ram:SpecifiedLineTradeDelivery', textElement('ram:BilledQuantity unitCode="C62"', `${quantity}`)),
    element(
      'ram:SpecifiedLineTradeSettlement',
      element('ram:ApplicableTradeTax', vat(share.bps, snapshot)),
      discount > 0 &&
        element(
          'ram:SpecifiedTradeAllowanceCharge',
          element('ram:ChargeIndicator', textElement('udt:Indicator', 'false')),
          textElement('ram:ActualAmount', decimal(discount, decimals)),
          textElement('ram:ReasonCode', '95'),
          textElement('ram:Reason', texts.discount),
        ),
      element(
        'ram:SpecifiedTradeSettlementLineMonetarySummation',
        textElement('ram:LineTotalAmount', decimal(share.net, decimals)),
      ),
    ),
  );
}

function address({ zip, street, street2, city, state, country }: Partial<Address>): string {
  return element(
    'ram:PostalTradeAddress',
    textElement('ram:PostcodeCode', zip),
    textElement('ram:LineOne', street),
    textElement('ram:LineTwo', street2),
    textElement('ram:CityName', city),
    textElement('ram:CountryID', country),
    textElement('ram:CountrySubDivisionName', state),
  );
}

const emailAddress = (email: string | null | undefined) =>
  element('ram:URIUniversalCommunication', textElement('ram:URIID schemeID="EM"', email));

const taxRegistration = (scheme: 'VA' | 'FC', id: string | undefined) =>
  element('ram:SpecifiedTaxRegistration', textElement(`ram:ID schemeID="${scheme}"`, id?.replaceAll(/\s/g, '')));

function agreement({ snapshot }: DocumentRow): string {
  const { seller, buyer, buyerEmail, orderNumber } = snapshot as DocumentRow['snapshot'];
  const contact: XmlNode[] = [
    textElement('ram:PersonName', seller.name),
    element('ram:TelephoneUniversalCommunication', textElement('ram:CompleteNumber', seller.phone)),
    element('ram:EmailURIUniversalCommunication', textElement('ram:URIID', seller.email)),
  ];
  return element(
    'ram:ApplicableHeaderTradeAgreement',
    textElement('ram:BuyerReference', `${orderNumber}`),
    element(
      'ram:SellerTradeParty',
      textElement('ram:Name', seller.name),
      textElement('ram:Description', seller.registration),
      (seller.phone || seller.email) && element('ram:DefinedTradeContact', contact),
      address(seller.address),
      emailAddress(seller.email),
      taxRegistration('VA', seller.vatId),
      taxRegistration('FC', seller.taxNumber),
    ),
    element(
      'ram:BuyerTradeParty',
      textElement('ram:Name', nameOf(buyer!)),
      buyer!.company && element('ram:DefinedTradeContact', textElement('ram:PersonName', buyer!.name)),
      address(buyer!),
      emailAddress(buyerEmail),
      taxRegistration('VA', buyer!.vatId),
    ),
    element('ram:BuyerOrderReferencedDocument', textElement('ram:IssuerAssignedID', `${orderNumber}`)),
  );
}

/** The element is required, even if it is empty. */
function delivery(snapshot: Snapshot): string {
  const { shipTo, suppliedAt } = snapshot;
  const content = [
    shipTo &&
      isCountry(shipTo.country) &&
      element('ram:ShipToTradeParty', textElement('ram:Name', nameOf(shipTo)), address(shipTo)),
    suppliedAt !== null &&
      element('ram:ActualDeliverySupplyChainEvent', element('ram:OccurrenceDateTime', day(suppliedAt, snapshot))),
  ].filter((each) => typeof each === 'string');
  return element('ram:ApplicableHeaderTradeDelivery', content) || '<ram:ApplicableHeaderTradeDelivery/>';
}

function settlement(document: DocumentRow): string {
  const { snapshot, currency, total } = document;
  const { shipping, corrects, paymentMethod, seller } = snapshot;
  const texts = textsIn(snapshot.language);
  const decimals = decimalsOf(currency);
  const amount = (name: string, minor: number) => textElement(name, decimal(minor, decimals));
  const shares = sharesOf(snapshot);
  const items = snapshot.lines.reduce((sum, { share }) => sum + share.net, 0);
  const charges = shipping.reduce((sum, { net }) => sum + net, 0);
  const tax = shares.reduce((sum, share) => sum + share.tax, 0);
  const code = currency.toUpperCase();
  const means = PAYMENT_MEANS[paymentMethod ?? 'FREE'] ?? ONLINE_PAYMENT;
  return element(
    'ram:ApplicableHeaderTradeSettlement',
    textElement('ram:PaymentReference', numberOf(document)),
    textElement('ram:InvoiceCurrencyCode', code),
    element(
      'ram:SpecifiedTradeSettlementPaymentMeans',
      textElement('ram:TypeCode', means === '58' && !seller.bank ? '1' : means),
      means === '58' && element('ram:PayeePartyCreditorFinancialAccount', textElement('ram:IBANID', seller.bank?.iban)),
    ),
    shares.map(({ bps, net, tax }) => {
      const category = categoryOf(bps, snapshot);
      const exemption = exemptionOf(category, texts);
      return element(
        'ram:ApplicableTradeTax',
        amount('ram:CalculatedAmount', tax),
        textElement('ram:TypeCode', 'VAT'),
        textElement('ram:ExemptionReason', exemption?.text),
        amount('ram:BasisAmount', net),
        textElement('ram:CategoryCode', category),
        textElement('ram:ExemptionReasonCode', exemption?.code),
        textElement('ram:RateApplicablePercent', decimal(bps, 2)),
      );
    }),
    shipping.map(({ bps, net }) =>
      element(
        'ram:SpecifiedTradeAllowanceCharge',
        element('ram:ChargeIndicator', textElement('udt:Indicator', 'true')),
        amount('ram:ActualAmount', net),
        textElement('ram:ReasonCode', 'FC'),
        textElement('ram:Reason', texts.shipping),
        element('ram:CategoryTradeTax', vat(bps, snapshot)),
      ),
    ),
    element(
      'ram:SpecifiedTradeSettlementHeaderMonetarySummation',
      amount('ram:LineTotalAmount', items),
      amount('ram:ChargeTotalAmount', charges),
      amount('ram:AllowanceTotalAmount', 0),
      amount('ram:TaxBasisTotalAmount', items + charges),
      amount(`ram:TaxTotalAmount currencyID="${code}"`, tax),
      amount('ram:GrandTotalAmount', total),
      amount('ram:TotalPrepaidAmount', total),
      amount('ram:DuePayableAmount', 0),
    ),
    corrects &&
      element(
        'ram:InvoiceReferencedDocument',
        textElement('ram:IssuerAssignedID', corrects.number),
        element('ram:FormattedIssueDateTime', day(corrects.issuedAt, snapshot, 'qdt:DateTimeString')),
      ),
  );
}
