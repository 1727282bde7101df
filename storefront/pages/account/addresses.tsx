import { type AddressFormat, isSoukError, type PartialAddress } from '@souk/client';
import { AccountFrame, isLoggedIn, toLogin } from '../../account/frame.tsx';
import { problemTexts } from '../../cart/problem-text.ts';
import { AddressFields } from '../../checkout/address-fields.tsx';
import { addressLines, type Formats } from '../../checkout/address-lines.ts';
import { problemsIn } from '../../checkout/check-address.ts';
import { addressIn } from '../../checkout/choices.ts';
import { findFormat, findFormats, listCountries } from '../../checkout/load.ts';
import { homeCountry, sorted } from '../../checkout/places.ts';
import { FormFields, type Problems, UpdateButton } from '../../forms.tsx';
import { type Loaded, page, type Visit } from '../../page.ts';
import { fill, link } from '../../site.ts';

type Data = {
  addresses: PartialAddress[];
  typed: PartialAddress;
  format: AddressFormat | null;
  formats: Formats;
  countries: string[];
  problems: Problems;
};

const PATH = 'shippingAddress';

export default page<Data>({
  path: '/account/addresses',
  personal: true,
  load: async (visit) => (isLoggedIn(visit) ? show(visit) : toLogin()),
  actions: {
    update: async (visit, form) => (isLoggedIn(visit) ? show(visit, addressIn(form, PATH)) : toLogin()),
    async add(visit, form) {
      if (!isLoggedIn(visit)) return toLogin();
      const address = addressIn(form, PATH) ?? {};
      const format = await findFormat(visit, address.country);
      const problems = format ? problemsIn(address, format, PATH, visit.site.texts) : {};
      if (Object.keys(problems).length > 0) return show(visit, address, problems);
      const { addresses } = await visit.souk.users.me();
      return write(visit, [...addresses, address], address);
    },
    async remove(visit, form) {
      if (!isLoggedIn(visit)) return toLogin();
      const { addresses } = await visit.souk.users.me();
      return write(
        visit,
        addresses.filter((_, i) => String(i) !== form.get('index')),
      );
    },
  },
  View({ data: { addresses, typed, format, formats, countries, problems }, site, visit: { csrf } }) {
    const { account: words } = site.texts;
    return (
      <AccountFrame site={site} current="addresses" csrf={csrf} title={words.addresses}>
        {addresses.length === 0 && <p>{words.noAddresses}</p>}
        <ul class="addresses">
          {addresses.map((address, i) => {
            const [first = '', ...rest] = addressLines(address, site.locale, formats);
            return (
              <li key={i}>
                <address>
                  <strong>{first}</strong>
                  <br />
                  {rest.join(', ')}
                </address>
                <form action={link(site, '/account/addresses')} method="post">
                  <FormFields csrf={csrf} action="remove" />
                  <input type="hidden" name="index" value={i} />
                  <button type="submit" class="quiet" aria-label={fill(words.removeAddress, { address: first })}>
                    {words.remove}
                  </button>
                </form>
              </li>
            );
          })}
        </ul>
        <h2>{words.newAddress}</h2>
        <form action={link(site, '/account/addresses')} method="post" data-live="choices" noValidate>
          <FormFields csrf={csrf} />
          <UpdateButton />
          <AddressFields
            path={PATH}
            kind="shipping"
            address={typed}
            format={format}
            countries={countries}
            problems={problems}
            hasPhone
          />
          <button type="submit" name="action" value="add">
            {words.saveAddress}
          </button>
        </form>
      </AccountFrame>
    );
  },
});

async function show(visit: Visit, typed?: PartialAddress, problems: Problems = {}): Promise<Loaded<Data>> {
  const { site, souk } = visit;
  const all = await listCountries(visit);
  const address = typed ?? { country: homeCountry(site, all) };
  const [{ addresses }, format] = await Promise.all([souk.users.me(), findFormat(visit, address.country)]);
  return {
    status: Object.keys(problems).length > 0 ? 422 : 200,
    data: {
      addresses,
      typed: address,
      format,
      formats: await findFormats(visit, addresses),
      countries: sorted(all, site.locale),
      problems,
    },
    head: { title: site.texts.account.addresses, noindex: true },
  };
}

async function write(visit: Visit, addresses: PartialAddress[], typed?: PartialAddress): Promise<Loaded<Data>> {
  try {
    await visit.souk.users.change({ addresses });
  } catch (error) {
    if (!isSoukError(error, 'VALIDATION_FAILED')) throw error;
    const found = Object.entries(problemTexts(error.details, visit.site.texts));
    return show(
      visit,
      typed,
      Object.fromEntries(found.map(([field, text]) => [field.replace(/^addresses\[\d+\]/, PATH), text])),
    );
  }
  return { redirect: '/account/addresses', status: 303 };
}
