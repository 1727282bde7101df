/** E-invoices in UN/CEFACT CII syntax. Pure. */
import { isCountry } from '../../../../shared/addresses/index.ts';
import type { Address } from '../../../../shared/schemas.ts';
import { type DocumentRow, numberOf } from '../queries.ts';
import type { Snapshot, SnapshotLine } from '../snapshot-schemas.ts';
import {
  DISCOUNT,
  EN_16931,
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

const NAMESPACES =
  'xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" ' +
  'xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100" ' +
  'xmlns:qdt="urn:un:unece:uncefact:data:standard:QualifiedDataType:100" ' +
  'xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100"';

export function writeCii(document: DocumentRow): string {
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
  const header = element(
    'rsm:ExchangedDocument',
    textElement('ram:ID', numberOf(document)),
    textElement('ram:TypeCode', type === 'INVOICE' ? '380' : '381'),
    element('ram:IssueDateTime', day(document.issuedAt, snapshot)),
    notesOf(document).map((text) => element('ram:IncludedNote', textElement('ram:Content', text))),
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

function lineOf(document: DocumentRow, line: SnapshotLine, i: number): string {
  const { snapshot, currency } = document;
  const texts = textsIn(snapshot.language);
  const decimals = decimalsOf(currency);
  const { share } = line;
  const { quantity, discount, price } = lineAmounts(document, line);
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
          textElement('ram:ReasonCode', DISCOUNT),
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
  const { shipping, corrects } = snapshot;
  const texts = textsIn(snapshot.language);
  const decimals = decimalsOf(currency);
  const amount = (name: string, minor: number) => textElement(name, decimal(minor, decimals));
  const shares = sharesOf(snapshot);
  const { items, charges, tax } = totalsOf(snapshot);
  const code = currency.toUpperCase();
  const { code: means, iban } = paymentMeans(snapshot);
  return element(
    'ram:ApplicableHeaderTradeSettlement',
    textElement('ram:PaymentReference', numberOf(document)),
    textElement('ram:InvoiceCurrencyCode', code),
    element(
      'ram:SpecifiedTradeSettlementPaymentMeans',
      textElement('ram:TypeCode', means),
      element('ram:PayeePartyCreditorFinancialAccount', textElement('ram:IBANID', iban)),
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
        textElement('ram:ReasonCode', FREIGHT),
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
