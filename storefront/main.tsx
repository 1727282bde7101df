import './style.css';
import { render } from 'preact';
import { Footer, Header, News } from './frame.tsx';
import { BlogPage, PostPage } from './pages/blog.tsx';
import { CartPage } from './pages/cart.tsx';
import { CheckoutPage } from './pages/checkout.tsx';
import { Home } from './pages/home.tsx';
import { LoginPage } from './pages/login.tsx';
import { OrderPage, OrdersPage, ThanksPage } from './pages/orders.tsx';
import { ProductPage } from './pages/product.tsx';
import { Empty } from './parts.tsx';
import { address } from './router.ts';

function Page() {
  const [, , page = '', id] = decodeURIComponent(address.value.pathname).split('/');
  if (page === '' || page === 'search') return <Home />;
  if (page === 'categories') return <Home key={id} category={id} />;
  if (page === 'products' && id) return <ProductPage key={id} slug={id} />;
  if (page === 'cart') return <CartPage />;
  if (page === 'checkout') return <CheckoutPage />;
  if (page === 'thanks') return <ThanksPage />;
  if (page === 'orders') return id ? <OrderPage key={id} id={id} /> : <OrdersPage />;
  if (page === 'blog') return id ? <PostPage key={id} id={id} /> : <BlogPage />;
  if (page === 'login') return <LoginPage />;
  return (
    <Empty
      title="Page not found"
      text="Check the URL. The page may have been moved or deleted."
      link="Shop all products"
    />
  );
}

render(
  <>
    <Header />
    <Page />
    <Footer />
    <News />
  </>,
  document.getElementById('app')!,
);
