/** ISO codes and their names in the chosen language. */
import { locale } from '../../text/index.ts';

const CURRENCIES =
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VED VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWG';
const COUNTRIES =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW';
const LANGUAGES =
  'af ak am ar as az be bg bm bn bo br bs ca cs cy da de dz ee el en eo es et eu fa ff fi fo fr fy ga gd gl gu gv ha he hi hr hu hy id ig is it ja ka ki kk kl km kn ko ks ku kw ky lb lg ln lo lt lu lv mg mi mk ml mn mr ms mt my nb nd ne nl nn no om or pa pl ps pt qu rm rn ro ru rw se sg si sk sl sn so sq sr sv sw ta te tg th ti tk to tr tt ug uk ur uz vi wo xh yi yo zh zu';

/** Members of the euro area, and countries that use the euro by agreement. */
const EURO = new Set('AD AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC ME MT NL PT SI SK SM VA'.split(' '));

/** Currency codes start with the code of their country. Undefined for countries that use the currency of another one, except the euro. */
export const currencyOf = (country: string): string | undefined =>
  EURO.has(country) ? 'EUR' : CURRENCIES.split(' ').find((code) => code.startsWith(country));

/** The most widely spoken language of a country. */
export const languageOf = (country: string): string => new Intl.Locale(`und-${country}`).maximize().language;

const CODES = { currency: CURRENCIES, region: COUNTRIES, language: LANGUAGES };
export type IsoType = keyof typeof CODES;

/** Falls back to the code. */
export function isoName(type: IsoType, code: string): string {
  try {
    return new Intl.DisplayNames(locale(), { type }).of(type === 'language' ? code : code.toUpperCase()) ?? code;
  } catch {
    return code;
  }
}

const options = new Map<string, [code: string, text: string][]>();

/** `['DE', 'Germany']`, by name. Currencies as `['EUR', 'EUR – Euro']`, by code. */
export function isoOptions(type: IsoType): readonly (readonly [code: string, text: string])[] {
  const key = `${locale()} ${type}`;
  let known = options.get(key);
  if (!known) {
    known = CODES[type].split(' ').map((code) => {
      const name = isoName(type, code);
      return [code, type === 'currency' ? `${code} – ${name}` : name];
    });
    const { compare } = new Intl.Collator(locale());
    known.sort(([, a], [, b]) => compare(a, b));
    options.set(key, known);
  }
  return known;
}
