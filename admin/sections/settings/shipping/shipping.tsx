/** The shipping methods: where they deliver, what they cost, and where orders are picked up. */
import { ListEditor } from '../../../parts/form/list-editor.tsx';
import { href } from '../../../shell/router.ts';
import { business } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { PartForm } from '../business/part-form.tsx';
import { useBusiness } from '../business/use-business.ts';
import { MethodFields } from './method.tsx';
import { newMethod, toMethods, type Values } from './values.ts';

export default function Page() {
  const record = useBusiness<Values>({
    name: 'shipping',
    read: ({ configs }) => ({ shippingMethods: configs.shippingMethods ?? [] }),
    write: ({ shippingMethods }) => ({ configs: { shippingMethods: toMethods(shippingMethods) } }),
  });
  const markets = business.value?.configs.markets ?? [];
  return (
    <PartForm path="shipping" record={record} names={{ shippingMethods: t('settings.shipping') }}>
      {({ shippingMethods }) => (
        <>
          <p class="quiet">{t('shipping.text')}</p>
          {markets.length === 0 && (
            <p class="notice">
              <a href={href('/settings/markets')}>{t('settings.marketsFirst')}</a>
            </p>
          )}
          <ListEditor
            items={shippingMethods}
            onInput={(next) => record.set('shippingMethods', next)}
            name={({ id, name }, i) => name || id || t('settings.method', { number: i + 1 })}
            add={{ label: t('settings.addMethod'), make: () => newMethod(markets) }}
            empty={t('settings.noMethods')}
          >
            {(method, set, i) => <MethodFields method={method} set={set} index={i} record={record} markets={markets} />}
          </ListEditor>
        </>
      )}
    </PartForm>
  );
}
