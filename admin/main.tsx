import './style.css';
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { noteUnreachable } from './parts/load.ts';
import { Problem } from './parts/problem.tsx';
import { routes as auth } from './sections/auth/routes.ts';
import { keepFocus } from './shell/focus.ts';
import { Frame } from './shell/frame.tsx';
import { listenToKeys } from './shell/keys.tsx';
import { AuthPage, LoginPage } from './shell/login.tsx';
import { FirstBusiness } from './shell/new-business.tsx';
import { Lazy } from './shell/page-of.tsx';
import { segments } from './shell/router.ts';
import { matchRoute } from './shell/routes.ts';
import { business, me, resume } from './shell/session.ts';
import './shell/theme.ts';
import { startLanguage } from './text/index.ts';

function Admin() {
  const [error, setError] = useState<unknown>();
  const start = () => {
    setError(undefined);
    resume().catch((problem) => {
      noteUnreachable(problem);
      setError(problem);
    });
  };
  useEffect(start, []);
  // Pages such as an invitation don't require a login.
  const match = matchRoute(auth, segments.value);
  if (match) return <Lazy key={segments.value.join('/')} load={match.load} params={match.params} />;
  if (error)
    return (
      <AuthPage title="Souk">
        <Problem error={error} />
        <button type="button" onClick={start}>
          ↻
        </button>
      </AuthPage>
    );
  if (me.value === undefined) return null;
  if (me.value === null) return <LoginPage />;
  if (!business.value) return <FirstBusiness />;
  return <Frame />;
}

listenToKeys();
keepFocus();
startLanguage().finally(() => render(<Admin />, document.getElementById('app')!));
