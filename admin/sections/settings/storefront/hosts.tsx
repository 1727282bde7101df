/** Host names of the storefront, each with the DNS record that verifies it. */
import type { StorefrontHost } from '@souk/client';
import { TextField } from '../../../parts/form/form.tsx';
import { ListEditor } from '../../../parts/form/list-editor.tsx';
import { forget, useAction, useLoad } from '../../../parts/load.ts';
import { Problem } from '../../../parts/problem.tsx';
import { toast } from '../../../parts/toast.tsx';
import { business, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';

type Props = {
  value: string[];
  onInput: (hosts: string[]) => void;
  problem: (index: number) => string | undefined;
  /** The hosts on the server. Only these can be checked. */
  saved: string[];
};

export function Hosts({ value, onInput, problem, saved }: Props) {
  const key = `storefront hosts ${business.value!.id} ${saved.join(' ')}`;
  const { data } = useLoad(key, (signal) => souk.businesses.listStorefrontHosts({ signal }));
  return (
    <>
      <p class="quiet">{t('storefront.hostsText', { path: `/s/${business.value!.slug}` })}</p>
      <ListEditor
        items={value}
        onInput={onInput}
        name={(host) => host || t('storefront.host')}
        add={{ label: t('storefront.addHost'), make: () => '' }}
      >
        {(host, set, i) => {
          const known = saved.includes(host) ? data?.items.find((each) => each.host === host) : undefined;
          return (
            <>
              <TextField
                label={t('storefront.host')}
                placeholder="shop.example.com"
                value={host}
                onInput={set}
                problem={problem(i)}
              />
              {known ? <HostCheck host={known} /> : host && <p class="quiet">{t('storefront.saveFirst')}</p>}
            </>
          );
        }}
      </ListEditor>
    </>
  );
}

const readyText = (host: string) =>
  t(business.value!.configs.storefront?.enabled ? 'storefront.hostReady' : 'storefront.hostVerified', { host });

function HostCheck({ host: { host, isVerified, record } }: { host: StorefrontHost }) {
  const { isBusy, error, run } = useAction(async () => {
    await souk.businesses.checkStorefrontHost(host);
    forget('storefront hosts');
    toast(readyText(host));
  });
  if (isVerified) return <p class="notice good">{readyText(host)}</p>;
  return (
    <>
      <p>{t('storefront.addRecord')}</p>
      <dl class="facts">
        {(['type', 'name', 'value'] as const).map((part) => (
          <div key={part}>
            <dt>{t(`storefront.record_${part}`)}</dt>
            <dd class="breaks">
              <code>{record[part]}</code>
            </dd>
          </div>
        ))}
      </dl>
      <Problem error={error} />
      <button type="button" class="quiet" disabled={isBusy} onClick={() => run()}>
        {t('storefront.check')}
      </button>
    </>
  );
}
