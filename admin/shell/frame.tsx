/** The layout of every page: sidebar, banner, toasts, palette, keyboard help, login. */
import { effect, signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { forget, isUnreachable } from '../parts/load.ts';
import { Toasts, toast } from '../parts/toast.tsx';
import { t } from '../text/index.ts';
import { EnrollBanner, EnrollPage, isWithheld } from './enroll.tsx';
import { followEvents, useEvents } from './events.ts';
import { KeysDialog, showsPalette } from './keys.tsx';
import { LoginAgain } from './login.tsx';
import { PageOf } from './page-of.tsx';
import { navigate, segments } from './router.ts';
import { business } from './session.ts';
import { Side } from './side.tsx';
import { StepUpDialog } from './step-up.tsx';

const isOffline = signal(!navigator.onLine);
for (const name of ['online', 'offline']) {
  addEventListener(name, () => {
    isOffline.value = !navigator.onLine;
  });
}

export function Frame() {
  const id = business.value?.id;
  useEffect(followEvents, [id]);
  useEvents('order.', (event) => {
    forget('list orders');
    forget('home');
    if (event.type !== 'order.created') return;
    const { number, id: orderId } = event.data as { number: number; id: string };
    const show = { label: t('shell.view'), run: () => navigate(`/orders/${orderId}`) };
    toast(t('shell.newOrderNews', { number }), { action: show });
  });
  return (
    <div class="frame">
      <Side />
      <div class="content">
        <Banner />
        <EnrollBanner />
        {isWithheld() && segments.value[0] !== 'account' ? <EnrollPage /> : <PageOf />}
      </div>
      <Toasts />
      <PaletteLoader />
      <KeysDialog />
      <LoginAgain />
      <StepUpDialog />
    </div>
  );
}

function Banner() {
  const text = isOffline.value ? t('shell.offline') : isUnreachable.value ? t('shell.unreachable') : '';
  return (
    <p class="banner" role="status" hidden={text === ''}>
      {text}
    </p>
  );
}

const palette = signal<ComponentType<{ close: () => void }> | null>(null);
effect(() => {
  if (showsPalette.value && !palette.peek())
    import('./palette.tsx').then(({ default: Palette }) => {
      palette.value = Palette;
    });
});

function PaletteLoader() {
  const Palette = palette.value;
  if (!showsPalette.value || !Palette) return null;
  return (
    <Palette
      close={() => {
        showsPalette.value = false;
      }}
    />
  );
}
