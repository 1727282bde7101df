import { isSoukError, type Order, type OrderDocument, type Return } from '@souk/client';
import { Documents } from '../../account/documents.tsx';
import { formatsOf, OrderHead, OrderLines, OrderSummary } from '../../account/order-view.tsx';
import { ReturnForm, Returns } from '../../account/returns.tsx';
import { problemTexts } from '../../cart/problem-text.ts';
import { productsOf, type Shown } from '../../cart/products.ts';
import type { Formats } from '../../checkout/address-lines.ts';
import { FormProblem } from '../../forms.tsx';
import { type Loaded, MISSING, page, type Visit } from '../../page.ts';
import { fill, link } from '../../site.ts';

type Data = {
  order: Order;
  products: Record<string, Shown>;
  formats: Formats;
  returns: Return[];
  documents: OrderDocument[];
  problem: string;
};

export default page<Data>({
  path: '/account/orders/:id',
  personal: true,
  load: (visit) => show(visit),
  actions: {
    async return(visit, form) {
      const type = (['EXCHANGE', 'WITHDRAWAL'] as const).find((each) => each === form.get('type')) ?? 'RETURN';
      const lines = [...form]
        .filter(([name, quantity]) => name.startsWith('line:') && Number(quantity) > 0)
        .map(([name, quantity]) => ({ lineId: name.slice(5), quantity: Number(quantity) }));
      const { texts } = visit.site;
      if (lines.length === 0) return show(visit, texts.order.chooseItems);
      try {
        await visit.souk.orders.requestReturn(visit.params.id!, {
          type,
          lines,
          note: form.get('note')?.trim().slice(0, 1000) || null,
        });
      } catch (error) {
        if (!isSoukError(error, 'VALIDATION_FAILED', 'CONFLICT')) throw error;
        return show(visit, Object.values(problemTexts(error.details, texts))[0] ?? error.message);
      }
      return { redirect: `/account/orders/${visit.params.id}?returned=1`, status: 303 };
    },
  },
  View({ data: { order, products, formats, returns, documents, problem }, site, visit: { csrf, query } }) {
    const { order: words } = site.texts;
    return (
      <main id="main" class="with-summary">
        <div>
          <p class="small">
            <a href={link(site, '/account')}>{site.texts.account.orders}</a>
          </p>
          <OrderHead order={order} isNew={false} />
          {query.has('returned') && (
            <p class="notice good" role="status">
              {words.returned}
            </p>
          )}
          <FormProblem text={problem || undefined} />
          <OrderLines order={order} products={products} />
          <Documents orderId={order.id} documents={documents} />
          <Returns returns={returns} />
          <ReturnForm order={order} csrf={csrf} />
        </div>
        <OrderSummary order={order} site={site} formats={formats} />
      </main>
    );
  },
});

async function show(visit: Visit, problem = ''): Promise<Loaded<Data>> {
  const { souk, params, site } = visit;
  try {
    const order = await souk.orders.get(params.id!);
    const [products, formats, returns, documents] = await Promise.all([
      productsOf(souk, order.lines),
      formatsOf(visit, order),
      souk.orders.listReturns({ orderId: order.id }).take(20),
      souk.orders.listDocuments(order.id).take(100),
    ]);
    return {
      status: problem ? 422 : 200,
      data: { order, products, formats, returns, documents, problem },
      head: { title: fill(site.texts.order.number, { number: order.number }), noindex: true },
    };
  } catch (error) {
    if (isSoukError(error, 'NOT_FOUND', 'FORBIDDEN')) return MISSING;
    throw error;
  }
}
